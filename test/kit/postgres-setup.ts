import type { TestProject } from 'vitest/node'
import { openPostgres } from '#db/database.ts'
import { migrate } from '#db/steps/migrate.ts'
import { checkColumns } from '#kit/declared-columns.ts'
import { createDatabase, startPostgres } from '#kit/postgres.ts'
import { migrations } from '#migrations'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The admin address for createDatabase: `createDatabase(inject('postgresAdminUrl'))`. */
    postgresAdminUrl: string
    /** The name of a database with the newest schema, for createDatabase's `template`. */
    postgresTemplate: string
  }
}

/** A vitest globalSetup that starts one Postgres for the whole run. */
export const setup = async (project: Pick<TestProject, 'provide'>): Promise<() => Promise<void>> => {
  const postgres = await startPostgres()
  project.provide('postgresAdminUrl', postgres.adminUrl)
  const template = await createDatabase(postgres.adminUrl)
  const database = openPostgres({ url: template.url })
  await migrate(database, migrations)
  try {
    await checkColumns(database)
  } finally {
    await database.close()
  }
  project.provide('postgresTemplate', template.name)
  return () => postgres.stop()
}
