import { expect, inject, onTestFinished, test } from 'vitest'
import { openPostgres, type Database } from '#db/database.ts'
import { assertPostgresWorks } from '#db/postgres/postgres-check.ts'
import { postgresTrouble } from '#db/postgres/postgres-trouble.ts'
import { createDatabase } from '#kit/postgres.ts'
import { TestPgBouncer, whyNoPgBouncer } from '#kit/pgbouncer.ts'

const why = whyNoPgBouncer()

const through = async (mode: 'session' | 'transaction' | 'statement'): Promise<{ url: string; database: Database }> => {
  const postgres = await createDatabase(inject('postgresAdminUrl'), { template: inject('postgresTemplate') })
  const pooler = await TestPgBouncer.start(postgres.url, mode)
  const url = `${pooler.url}?pgbouncer=true`
  const database = openPostgres({ url })
  onTestFinished(async () => {
    await database.close()
    await pooler.stop()
    await postgres.drop()
  })
  return { url, database }
}

test.skipIf(why)(
  `PgBouncer’s statement mode is refused at the start, in words${why ? `: skipped, ${why}` : ''}`,
  async () => {
    const { url, database } = await through('statement')
    const refused = (await assertPostgresWorks(database).catch((error: unknown) => error)) as Error
    expect(postgresTrouble(refused, url)).toEqual({
      isSetting: false,
      text: expect.stringMatching(
        /^Postgres at 127\.0\.0\.1:\d+, database \w+, is PgBouncer in statement mode, which takes no transactions: set pool_mode = transaction there, for this database or for all, and reload it\.$/,
      ),
    })
  },
)

test.skipIf(why)(`its other modes are taken${why ? `: skipped, ${why}` : ''}`, async () => {
  for (const mode of ['session', 'transaction'] as const) {
    // oxlint-disable-next-line no-await-in-loop -- each has a database of its own
    const { database } = await through(mode)
    // oxlint-disable-next-line no-await-in-loop
    await expect(assertPostgresWorks(database)).resolves.toBeUndefined()
  }
})
