import type { Module } from '#kernel/module.ts'
import { branchesModule } from '#modules/branches/index.ts'
import { healthModule, type HealthDeps } from '#modules/health/index.ts'
import { identityModule } from '#modules/identity/index.ts'
import { membersModule } from '#modules/members/index.ts'
import { settingsModule } from '#modules/settings/index.ts'
import { setupModule, type SetupDeps } from '#modules/setup/index.ts'

/** What the modules need from outside; each takes its part. */
export type ModuleDeps = HealthDeps & SetupDeps

/** Every feature of the program. */
export const allModules = (deps: ModuleDeps): readonly Module[] => [
  healthModule(deps),
  setupModule(deps),
  settingsModule,
  identityModule,
  membersModule,
  branchesModule,
]
