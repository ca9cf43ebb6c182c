import * as v from 'valibot'
import { change, read, type Endpoint } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { named } from '#kernel/values/named.ts'
import { secret } from '#kernel/values/schema.ts'
import { activate, LicenseInvalid, NoIssuer, prepareActivation } from './activate.ts'
import type { InstallDeps } from './deps.ts'
import { LONGEST_TOKEN } from './protocol.ts'
import { LicenseStatus, readStatus } from './status.ts'
import { prepareUnlock, unlock, UnlockInvalid } from './unlock.ts'

/** Each try checks a signature. */
const TRIES = [{ per: 'caller', requests: 30, seconds: 60 }] as const

/** Mail programs break a long line, and chats of right-to-left text add marks that nobody sees: none of it is of a token. */
const token = v.pipe(
  secret(1, LONGEST_TOKEN),
  v.transform((typed) => typed.replaceAll(/[\s\p{Cf}]/gu, '')),
)

const common = { access: 'owner', lockExempt: true, reply: LicenseStatus } as const

/** @param mode a cloud takes no licence: its institutes have subscriptions */
export const licenseEndpoints = (deps: InstallDeps, mode: 'self_hosted' | 'cloud'): readonly Endpoint[] => {
  const closed = mode === 'cloud' ? NotFound : undefined
  return [
    read({
      ...common,
      id: 'license.read',
      path: '/license',
      summary: 'The licence of this server, and whether the institute is locked',
      description:
        'For the owner alone, also while the institute is locked. Without a licence everything works and nothing is sent to the vendor. In cloud mode it tells whether the institute is locked, and why; there is no licence.',
      handle: async ({ whole, now }) => readStatus(whole, now),
    }),
    change({
      ...common,
      id: 'license.activate',
      method: 'POST',
      path: '/license',
      summary: 'Put in a licence token',
      description:
        'Works without a network: the token’s signature alone decides. It replaces the licence before, and unlocks nothing: only the vendor’s commands and unlock tokens do. The same token again changes nothing, and sends a heartbeat at once. A licence past its end is taken as any other. In cloud mode 404.',
      body: named('LicenseActivation', v.object({ token }), {
        token: 'The licence token, as the vendor gave it. Line breaks and spaces in it do not count.',
      }),
      fails: [NoIssuer, LicenseInvalid, NotFound],
      limits: TRIES,
      closed,
      prepare: async ({ body, tenant }) => prepareActivation(deps, body.token, tenant.id),
      handle: async ({ tx, prepared }) => {
        await activate(tx, prepared)
        return readStatus(tx.whole, tx.now)
      },
    }),
    change({
      ...common,
      id: 'license.unlock',
      method: 'POST',
      path: '/license/unlock',
      summary: 'Unlock the institute with a token, without a network',
      description:
        'For the owner alone. A token is good once, for 7 days, on a server with its licence, and until a later command of the vendor was applied. Its end is measured by this server’s clock, and by the time that the vendor last told, unless that was more than a day ahead of all that was seen here. In cloud mode 404.',
      body: named('LicenseUnlock', v.object({ token }), {
        token: 'The unlock token, as the vendor gave it. Line breaks and spaces in it do not count.',
      }),
      fails: [NoIssuer, UnlockInvalid, NotFound],
      limits: TRIES,
      closed,
      prepare: async ({ body, tenant, whole, now }) =>
        prepareUnlock(deps, body.token, { whole, tenantId: tenant.id, now }),
      handle: async ({ tx, prepared }) => {
        await unlock(tx, prepared)
        return readStatus(tx.whole, tx.now)
      },
    }),
  ]
}
