import * as v from 'valibot'
import { openChange, type Endpoint } from '#kernel/contract/endpoint.ts'
import { named } from '#kernel/values/named.ts'
import { email, Ok, ok } from '#kernel/values/schema.ts'
import { emailKey } from '../accounts.ts'
import { countAddress, type Identity } from '../deps.ts'
import { emailLinkJob } from '../jobs.ts'

interface AskedLink {
  id: string
  path: string
  summary: string
  description: string
  /** What its body is called in the document. */
  bodyName: string
  kind: 'reset_password' | 'verify_email'
}

/** Mails a link to an account. Whoever asks does not learn whether there is one: a job looks it up after the reply. */
export const askForLink = (identity: Identity, { bodyName, kind, ...declared }: AskedLink): Endpoint =>
  openChange({
    ...declared,
    method: 'POST',
    access: 'anyone',
    body: named(bodyName, v.object({ email })),
    reply: Ok,
    prepare: async ({ body, request }) => {
      await countAddress(identity, request)
      return { send: await identity.mailBudget.mayMailLink(body.email) }
    },
    handle: async ({ tx, body, prepared: { send } }) => {
      const key = emailKey(body.email)
      if (send) tx.enqueue(emailLinkJob, { kind, emailKey: key })
      tx.audit({ entityType: 'user', entityId: null, metadata: { email: key } })
      return ok
    },
  })
