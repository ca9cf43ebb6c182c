import * as v from 'valibot'
import { openChange, openRead, type Endpoint } from '#kernel/endpoint.ts'
import { NotFound } from '#kernel/errors.ts'
import { withStoredPhone } from '#kernel/phone.ts'
import { emptyable, locale, name, uuid } from '#kernel/schema.ts'
import { changeProfile, UserProfile, userProfile } from '../accounts.ts'
import { logOf, ownSessionOf, sessionOf } from '../sign-in.ts'

const ProfileChanges = v.object({
  fullName: v.optional(name(200)),
  phone: v.optional(v.nullable(emptyable(50))),
  locale: v.optional(locale),
  avatarFileId: v.optional(v.nullable(uuid)),
})

/** A zone of no country: only the international form of a phone number is understood. */
const NOWHERE = { timezone: 'UTC' }

export const profileEndpoints: readonly Endpoint[] = [
  openRead({
    id: 'me.read',
    path: '/me',
    summary: 'The own profile',
    access: 'user',
    reply: UserProfile,
    handle: ({ db, caller }) => userProfile(db, sessionOf(caller).userId),
  }),
  openChange({
    id: 'me.update',
    method: 'PATCH',
    path: '/me',
    summary: 'Change the own profile',
    description:
      'A national phone number takes the country of the active institute’s timezone; while no institute is active, only the international form (+972…) is taken. `avatarFileId` must be a file (404). Not for a platform admin who works in the user’s name.',
    access: 'user',
    body: ProfileChanges,
    reply: UserProfile,
    fails: [NotFound],
    handle: async ({ tx, caller, body }) => {
      const { userId, tenantId } = ownSessionOf(caller)
      const wanted = withStoredPhone({ tenant: caller?.tenant ?? NOWHERE }, body)
      if (body.avatarFileId) throw NotFound()
      const { before, after } = await changeProfile(tx, userId, wanted)
      const log = await logOf(tx, tenantId)
      log.audit({ entityType: 'user', entityId: userId, before, after })
      return after
    },
  }),
]
