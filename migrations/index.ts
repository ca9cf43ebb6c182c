import type { Migration } from '#db/schema-kit.ts'
import { foundation } from './0001_foundation.ts'
import { identity } from './0002_identity.ts'
import { setup } from './0003_setup.ts'

/** Every step of the schema, in order. A landed step is never changed: a new one follows it. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001_foundation': foundation,
  '0002_identity': identity,
  '0003_setup': setup,
}
