import { previewOf, type Caller } from '#kernel/who/actor.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import { usableTenant } from './usable-tenant.ts'

const PURPOSE = 'device-key'

/**
 * The key by which a program seals what it keeps on the device of somebody until the server can be reached, such as
 * attendance. It is always the same for a person in an institute, so what was sealed is read again once they have signed in
 * there anew, and by nobody else who uses the device.
 * @returns null without an institute, for a platform admin in somebody's name, and for who looks as a role sees the
 *   institute: they keep nothing
 */
export const deviceKey = (vault: Vault, caller: Caller | null): string | null => {
  const tenant = usableTenant(caller)
  const actor = caller?.actor
  if (!tenant || actor?.type !== 'user' || actor.impersonatorId !== null || previewOf(caller)) return null
  return vault.keyFor(PURPOSE, `${actor.userId}/${tenant.id}`)
}
