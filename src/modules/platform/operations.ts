import { openChange, openRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import { pageOf } from '#kernel/values/schema.ts'
import { AuditEntry, listPlatformAudit, PlatformAuditQuery } from '#modules/audit/index.ts'
import {
  addPlatformUser,
  AlreadyPlatformAdmin,
  ASKS_PASSWORD,
  changePlatformUser,
  checkSamePassword,
  confirmingFails,
  DisabledAccount,
  listPlatformUsers,
  NewPlatformUser,
  OwnAccount,
  OwnSecondFactor,
  PasswordAgain,
  PlatformUser,
  PlatformUserChanges,
  PlatformUserQuery,
  resetUserSecondFactor,
  SetItUpFirst,
} from '#modules/identity/index.ts'
import type { PlatformDeps } from './deps.ts'

const access = 'platform'

export const userEndpoints = ({
  sendMail,
  confirm,
}: Pick<PlatformDeps, 'sendMail' | 'confirm'>): readonly Endpoint[] => [
  openRead({
    id: 'platform-users.list',
    path: '/platform/users',
    summary: 'List the accounts of this server',
    description:
      'Newest first: platform admins and everybody who has an account in some institute, also those who are only invited. `email` finds the account with exactly this address.',
    access,
    query: PlatformUserQuery,
    reply: pageOf(PlatformUser),
    handle: listPlatformUsers,
  }),
  openChange({
    id: 'platform-users.create',
    method: 'POST',
    path: '/platform/users',
    summary: 'Add a platform admin',
    description:
      'Somebody without an account gets one, and a mail with a link to choose its password, which works once within 1 hour; after that POST /auth/forgot-password brings another. Somebody who has an account becomes a platform admin with it and keeps its password and name, unless nobody ever confirmed its address: then its password, sessions and mailed links end, and the mail is sent too. 409 for somebody who is a platform admin already, and for a disabled account.',
    access,
    body: NewPlatformUser,
    status: 201,
    reply: PlatformUser,
    fails: [AlreadyPlatformAdmin, DisabledAccount],
    handle: ({ tx, body }) => addPlatformUser(tx, sendMail, body),
  }),
  openChange({
    id: 'platform-users.update',
    method: 'PATCH',
    path: '/platform/users/{id}',
    summary: 'Disable anybody’s account or enable it again',
    description:
      'A disabled account is refused from its next request on: its sessions, mailed links and impersonations end, and stay ended when it is enabled again. Institutes of which it was the last active owner keep it as their owner; the entry in the audit log names them. 409 for one’s own account, so that one platform admin always stays active.',
    access,
    body: PlatformUserChanges,
    reply: PlatformUser,
    fails: [OwnAccount],
    handle: ({ tx, params, body }) => changePlatformUser(tx, params.id, body),
  }),
  openChange({
    id: 'platform-users.reset-second-factor',
    method: 'POST',
    path: '/platform/users/{id}/reset-second-factor',
    summary: 'Take away the second factor of somebody who lost it',
    description: `For anybody’s account but one’s own (409): a platform admin who lost it is helped by another one, so a platform has two of them; the only one is helped by \`institute user reset-second-factor\` on the server. The app, the recovery codes and the passkeys of the account end, and so do its sessions, those in which it acts in the name of others, and the assistants that act for it; the password stays. The account is mailed. It stands in the audit log of the platform, and in that of each institute in which the account is an active member. 409 where there is nothing to take away. ${ASKS_PASSWORD}`,
    access,
    body: PasswordAgain,
    reply: PlatformUser,
    fails: [...confirmingFails, OwnSecondFactor, SetItUpFirst],
    prepare: ({ caller, db, begin, body }) => confirm({ caller, db, begin }, body.password),
    handle: async ({ tx, caller, params, prepared }) => {
      const reset = await resetUserSecondFactor(tx, sendMail, params.id)
      // Last: the caller is locked among the platform admins, in the order of their ids.
      await checkSamePassword(tx, caller, prepared)
      return reset
    },
  }),
]

export const auditEndpoint: Endpoint = openRead({
  id: 'platform-audit.list',
  path: '/platform/audit',
  summary: 'Read the audit log of all institutes and of the platform',
  description:
    'As GET /audit, across institutes. Entries without a tenantId concern no institute: sign-ins before an institute is chosen, accounts, and the platform itself. What a platform admin did to one institute stands among that institute’s entries.',
  access,
  query: PlatformAuditQuery,
  reply: pageOf(AuditEntry),
  handle: ({ everywhere, ...context }) => listPlatformAudit({ ...context, db: everywhere }),
})
