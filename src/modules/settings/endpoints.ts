import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound, VersionConflict } from '#kernel/values/errors.ts'
import { CurrencyFixed } from '#modules/tenants/index.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import { changeFlags, FlagChanges, Flags } from './feature-flags.ts'
import { readSettings } from './record.ts'
import { ChangedSettings, Settings, SettingsChanges } from './schemas.ts'
import { changeSettings, type FollowZone, type NameLogo } from './service.ts'

interface SettingsChanging {
  vault: Vault
  nameLogo: NameLogo
  followZone: FollowZone
}

export const settingsEndpoints = ({ vault, nameLogo, followZone }: SettingsChanging) => [
  read({
    id: 'settings.read',
    path: '/settings',
    summary: 'Read the institute’s settings',
    description:
      'What was never set has its default. `registration.captcha` shows the provider; its secret is never returned.',
    access: 'settings.manage',
    reply: Settings,
    handle: ({ db }) => readSettings(db),
  }),
  change({
    id: 'settings.update',
    method: 'PATCH',
    path: '/settings',
    summary: 'Change the institute’s settings',
    description:
      'Members of the nested objects that are left out stay as they are; `terms` is replaced as a whole and kept in the order of startsOn. `registration.captcha` null takes the captcha away; without `secret` the stored one stays, as long as the provider is the same. `name` stands in mails: one line, without the address of a page (`http:`, `://`, `www.`: 422). `baseUrl` is the address with which links in mails begin, without a path (422) and a slash at its end, where the server’s configuration (INSTITUTE_BASE_URL) names none. Only an owner changes it (403 FORBIDDEN with details.reason owner_only, for API keys too); anybody may send it as it stands. The currency can be changed until the first invoice exists (409). `branding.logoFileId` is a file of the institute (404), an image of a kind that every browser shows (422); the file of the logo cannot be deleted, and the one before it stays among the files. ' +
      'With another `timezone` the sessions that stand where the weekly times put them are moved to the same local times in it, held ones too; what people moved, and what they added, stays. `movedSessions` counts them, also in the audit entry; those of a large institute follow within minutes. An enrollment from or until a day that was named keeps that day.',
    access: 'settings.manage',
    wholeTenant: true,
    body: SettingsChanges,
    reply: ChangedSettings,
    fails: [VersionConflict, CurrencyFixed, NotFound],
    handle: ({ tx, caller, body }) =>
      changeSettings(tx, { vault, nameLogo, followZone, isOwner: caller.isOwner }, body),
  }),
  read({
    id: 'feature-flags.read',
    path: '/feature-flags',
    summary: 'Which features are on',
    description: 'The effective values. Any caller inside the institute may read them.',
    access: 'tenant',
    lockExempt: true,
    reply: Flags,
    handle: async ({ tenant }) => tenant.features,
  }),
  change({
    id: 'feature-flags.update',
    method: 'PATCH',
    path: '/feature-flags',
    summary: 'Switch features on or off',
    description:
      'For the owner of a self-hosted institute; in the cloud the platform manages the features (403). Every feature but custom_domain can be switched; one that the plan of the licence switches off cannot be switched on (403). Holds from the next request on.',
    access: 'owner',
    body: FlagChanges,
    reply: Flags,
    handle: ({ tx, body }) => changeFlags(tx, body),
  }),
]
