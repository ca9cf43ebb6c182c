import type { Module } from '#kernel/module.ts'
import { apiKeysModule, type ApiKeysDeps } from '#modules/api-keys/index.ts'
import { attendanceModule } from '#modules/attendance/index.ts'
import { auditModule } from '#modules/audit/index.ts'
import { billingModule } from '#modules/billing/index.ts'
import { branchesModule } from '#modules/branches/index.ts'
import { courseCategoriesModule } from '#modules/course-categories/index.ts'
import { coursesModule } from '#modules/courses/index.ts'
import { groupsModule } from '#modules/groups/index.ts'
import { healthModule, type HealthDeps } from '#modules/health/index.ts'
import { identityModule, type IdentityDeps } from '#modules/identity/index.ts'
import { mailModule, type MailDeps } from '#modules/mail/index.ts'
import { membersModule, type Inviting } from '#modules/members/index.ts'
import { linkPerson, peopleModule } from '#modules/people/index.ts'
import { sessionsModule } from '#modules/sessions/index.ts'
import { settingsModule, type SettingsDeps } from '#modules/settings/index.ts'
import { setupModule, type SetupDeps } from '#modules/setup/index.ts'
import { webhooksModule, type WebhooksDeps } from '#modules/webhooks/index.ts'

/** What the modules need from outside; each takes its part. */
export type ModuleDeps = HealthDeps &
  SetupDeps &
  SettingsDeps &
  MailDeps &
  Omit<IdentityDeps, 'onAccepted'> &
  Inviting &
  ApiKeysDeps &
  WebhooksDeps

/** Every feature of the program. */
export const allModules = (deps: ModuleDeps): readonly Module[] => [
  healthModule(deps),
  setupModule(deps),
  settingsModule(deps),
  identityModule({ ...deps, onAccepted: linkPerson }),
  membersModule(deps),
  auditModule,
  mailModule(deps),
  branchesModule,
  peopleModule(deps),
  courseCategoriesModule,
  coursesModule,
  groupsModule,
  sessionsModule,
  attendanceModule,
  billingModule,
  apiKeysModule(deps),
  webhooksModule(deps),
]
