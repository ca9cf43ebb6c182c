import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { httpUrl, id, line, orNull, ts } from '#kernel/values/schema.ts'

const words = {
  endpoint: 'The address at the browser’s push service.',
  keys: 'The browser’s keys, in base64url.',
  p256dh: 'The browser’s public key.',
  auth: 'The browser’s authentication secret.',
  applicationServerKey: 'The key with which the browser subscribed: the publicKey of the channel push.',
}

/** A browser's PushSubscription as it writes itself in JSON, with the key it was made with. */
export const NewDevice = named(
  'NewPushDevice',
  v.object({
    endpoint: httpUrl,
    keys: named('PushKeys', v.object({ p256dh: line(200), auth: line(100) }), words),
    applicationServerKey: v.optional(line(200)),
  }),
  words,
)
export type NewDevice = v.InferOutput<typeof NewDevice>

export const Device = named('PushDevice', v.object({ id, applicationServerKey: v.string(), createdAt: ts }), {
  ...words,
  createdAt: 'When it was first registered.',
})
export type Device = v.InferOutput<typeof Device>

export const OwnDevice = named(
  'OwnPushDevice',
  v.object({ id, userAgent: orNull(v.string()), createdAt: ts, lastUsedAt: ts, current: v.boolean() }),
  {
    userAgent: 'What the browser called itself at the last sign-in or refresh of its session; null: nothing.',
    createdAt: 'When it was first registered.',
    lastUsedAt: 'When its session was signed in or refreshed last.',
    current: 'Whether it was registered in the session that asks.',
  },
)
export type OwnDevice = v.InferOutput<typeof OwnDevice>

export const PushKey = named('PushKey', v.object({ applicationServerKey: v.string() }), {
  applicationServerKey: 'The public key in base64url, which PushManager.subscribe() takes under the same name.',
})
export type PushKey = v.InferOutput<typeof PushKey>
