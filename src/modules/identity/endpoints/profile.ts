import * as v from 'valibot'
import { openChange, openRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { named } from '#kernel/values/named.ts'
import { withStoredPhone } from '#kernel/values/phone.ts'
import { emptyable, locale, name, uuid } from '#kernel/values/schema.ts'
import { changeProfile, UserProfile, userProfile } from '../accounts.ts'
import type { Identity } from '../deps.ts'
import { logOf, sessionOf } from '../sign-in.ts'
import { usableTenant } from '../usable-tenant.ts'

const ProfileChanges = named(
  'ProfileChanges',
  v.object({
    fullName: v.optional(name(200)),
    phone: v.optional(v.nullable(emptyable(50))),
    locale: v.optional(locale),
    avatarFileId: v.optional(v.nullable(uuid)),
  }),
  {
    avatarFileId: 'The picture of the account; null: none.',
  },
)

/** A zone of no country, so that only international phone numbers are valid. */
const NOWHERE = { timezone: 'UTC' }

export const profileEndpoints = ({ avatars }: Pick<Identity, 'avatars'>): readonly Endpoint[] => [
  openRead({
    id: 'me.read',
    path: '/me',
    summary: 'The own profile',
    access: 'user',
    beforeSecondFactor: true,
    reply: UserProfile,
    handle: ({ db, caller }) => userProfile(db, sessionOf(caller).userId),
  }),
  openChange({
    id: 'me.update',
    method: 'PATCH',
    path: '/me',
    summary: 'Change the own profile',
    description:
      'A national phone number takes the country of the active institute’s timezone; while no institute is active, only the international form (+972…) is taken. `avatarFileId` must be a file of kind `avatar` that the user uploaded in the active institute and that is attached to nothing (404), an image of a kind that every browser shows (422); the file of the avatar before it is deleted then. Not for a platform admin who works in the user’s name.',
    access: 'user',
    body: ProfileChanges,
    reply: UserProfile,
    fails: [NotFound],
    handle: async ({ tx, caller, body }) => {
      const { userId, tenantId } = sessionOf(caller)
      const tenant = usableTenant(caller)
      const wanted = withStoredPhone({ tenant: tenant ?? NOWHERE }, body)
      const { before, after } = await changeProfile(tx, userId, wanted)
      if (after.avatarFileId !== before.avatarFileId) {
        const chosen = after.avatarFileId
        if (chosen !== null && !tenant) throw NotFound()
        if (chosen !== null && tenant) await avatars.name(tx.inTenant(tenant), userId, chosen)
        if (before.avatarFileId !== null) await avatars.free(tx, userId, before.avatarFileId)
      }
      const log = await logOf(tx, tenantId)
      log.audit({ entityType: 'user', entityId: userId, before, after })
      return after
    },
  }),
]
