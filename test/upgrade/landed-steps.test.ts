import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { migrate } from '#db/migrate.ts'
import type { Migration } from '#db/schema-kit.ts'
import { migrations } from '#migrations'
import { emptyDatabase, ENGINES, schemaOf, STEPS } from './databases.ts'
import kept from './fingerprints.json' with { type: 'json' }

const hashOf = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)

/**
 * A released migration must never change its effect: otherwise an institute that runs it tomorrow gets another schema
 * than one that ran it yesterday. Its effect is the statements that it sends and the schema after it. For a new
 * migration, copy the line that this test prints into fingerprints.json; never change an old line.
 */
describe.each(ENGINES)('on %s', (engine) => {
  test('every released migration still sends the same statements, and gives the same schema', async () => {
    let statements: string[] = []
    const { database, drop } = await emptyDatabase(engine, ({ query }) => {
      statements.push(`${query.sql} ${JSON.stringify(query.parameters)}`)
    })
    const found: Record<string, string> = {}
    const taken: Record<string, Migration> = {}
    for (const [step, migration] of Object.entries(migrations)) {
      let said = ''
      taken[step] = {
        ...migration,
        up: async (db, kit) => {
          statements = []
          await migration.up(db, kit)
          said = hashOf(statements)
        },
      }
      await migrate(database, taken)
      found[step] = `says ${said}, schema ${hashOf(await schemaOf(database))}`
    }
    await database.close()
    await drop?.()
    expect(found).toEqual(kept[engine])
  })
})

test('what the planner is told changes with a new step alone: without one, institutes of old are never told', async () => {
  const { database } = await emptyDatabase('sqlite')
  await migrate(database, migrations)
  const rows = database.sqlite?.prepare('select idx, stat from sqlite_stat1 order by idx').raw().all() as string[][]
  await database.close()
  expect({ [STEPS.at(-1) as string]: hashOf(rows.map((row) => row.join(' '))) }).toEqual(kept.statistics)
})
