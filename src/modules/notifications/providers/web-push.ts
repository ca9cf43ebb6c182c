import * as v from 'valibot'
import { invalid } from '#kernel/values/errors.ts'
import { line } from '#kernel/values/schema.ts'
import { isPair, isPublicKey } from '../push/vapid.ts'
import { pushProvider, secretField, setting } from './provider.ts'

const subject = v.pipe(
  line(300),
  v.regex(/^(?:mailto:[^\s@<>]+@[^\s@<>]+|https:\/\/\S+)$/, 'Must be mailto: with an address, or an https: address.'),
)

/** Web Push with keys of the institute's own. */
export const webPush = pushProvider({
  channels: ['push'],
  description:
    '`web_push` (push): publicKey, privateKey, subject. Browsers that subscribed with another key are not reached with it.',
  fields: {
    publicKey: setting(
      line(200),
      'The public key (VAPID) with which browsers subscribe: a point of P-256 in base64url.',
      { words: 'The public key with which browsers subscribe; null: another channel.' },
    ),
    privateKey: secretField(line(200), 'The private key of the public key: 32 bytes in base64url. It is never shown.'),
    subject: setting(subject, 'Whom a push service can write to: mailto: and an address, or an https: address.', {
      words: 'Whom a push service can write to; null: another channel.',
    }),
  },
  secret: 'privateKey',
  check: (given) => {
    if (!isPublicKey(given.publicKey)) throw invalid(['publicKey'], 'Must be a point of P-256 in base64url.')
    if (!isPair(given)) throw invalid(['privateKey'], 'Must be the key of publicKey.')
  },
  keys: ({ publicKey, privateKey, subject: writeTo }) => ({ publicKey, privateKey, subject: writeTo }),
})
