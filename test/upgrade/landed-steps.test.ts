import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Engine } from '#db/database.ts'
import { migrate } from '#db/steps/migrate.ts'
import type { Migration } from '#db/schema-kit.ts'
import { migrations } from '#migrations'
import { emptyDatabase, ENGINES, schemaOf, STEPS } from './databases.ts'
import kept from './fingerprints.json' with { type: 'json' }

/**
 * A migration that has landed must never change its effect: otherwise an institute that runs it tomorrow gets another
 * schema than one that ran it yesterday. Its effect is the statements that it sends and the schema after it.
 * `npm test -- -u` adds and renews the fingerprints of new migrations: those that the last commit does not have.
 */
type Fingerprints = Record<Engine | 'statistics', Record<string, string>>

const FILE = path.join(import.meta.dirname, 'fingerprints.json')

const hashOf = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)

/** What the migrations do today; filled by the tests of the parts. */
const found: Fingerprints = { sqlite: {}, postgres: {}, statistics: {} }

/**
 * The fingerprints that may not change. A line that somebody took out of the file may be written anew. Where there is no
 * last commit, every migration of the file has landed.
 */
const landed = ((): Fingerprints => {
  const shown = spawnSync('git', ['show', 'HEAD:./fingerprints.json'], { cwd: import.meta.dirname, encoding: 'utf8' })
  const committed: Fingerprints = shown.status === 0 ? JSON.parse(shown.stdout) : kept
  const still = (part: keyof Fingerprints) =>
    Object.fromEntries(Object.entries(kept[part]).filter(([step]) => step in committed[part]))
  const { [STEPS.at(-1) as string]: newest } = still('statistics')
  return {
    sqlite: still('sqlite'),
    postgres: still('postgres'),
    // Once there is a newer migration, it is the one that tells the planner.
    statistics: newest === undefined ? {} : { [STEPS.at(-1) as string]: newest },
  }
})()

const changedIn = (part: keyof Fingerprints) =>
  Object.fromEntries(Object.entries(landed[part]).filter(([step, fingerprint]) => found[part][step] !== fingerprint))

const UNDO =
  'The first of these migrations has landed, and now does something else. Undo that, and write a new migration. If no ' +
  'institute has run it, take the lines out of test/upgrade/fingerprints.json, and run npm test -- -u.'

test.each(ENGINES)(
  'on %s every landed migration sends the same statements, and gives the same schema',
  async (engine) => {
    let statements: string[] = []
    const { database, drop } = await emptyDatabase(engine, ({ query }) => {
      statements.push(`${query.sql} ${JSON.stringify(query.parameters)}`)
    })
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
      found[engine][step] = `says ${said}, schema ${hashOf(await schemaOf(database))}`
    }
    await database.close()
    await drop?.()
    expect(changedIn(engine), UNDO).toEqual({})
  },
)

test('a new step comes after all that have landed: a database that has those takes no step between them', () => {
  const isLanded = (step: string) => step in landed.sqlite
  const last = STEPS.findLastIndex(isLanded)
  expect(STEPS.slice(0, last).filter((step) => !isLanded(step))).toEqual([])
})

test('what the planner is told changes with a new step alone: without one, institutes of old are never told', async () => {
  const { database } = await emptyDatabase('sqlite')
  await migrate(database, migrations)
  const rows = database.sqlite?.prepare('select idx, stat from sqlite_stat1 order by idx').raw().all() as string[][]
  await database.close()
  found.statistics[STEPS.at(-1) as string] = hashOf(rows.map((row) => row.join(' ')))
  expect(changedIn('statistics'), UNDO).toEqual({})
})

test('the fingerprints of all migrations are kept, and of no others', async () => {
  for (const part of [...ENGINES, 'statistics'] as const) expect(changedIn(part), UNDO).toEqual({})
  const isKept = await expect(`${JSON.stringify(found, null, 2)}\n`)
    .toMatchFileSnapshot(FILE)
    .then(
      () => true,
      () => false,
    )
  if (isKept) return
  const lines = ENGINES.flatMap((engine) =>
    STEPS.filter((step) => found[engine][step] !== (kept[engine] as Record<string, string>)[step]).map(
      (step) => `  ${engine} ${step}: ${found[engine][step]}`,
    ),
  )
  throw new Error(
    `test/upgrade/fingerprints.json does not have these new migrations; renew it with \`npm test -- -u\`.\n${lines.join('\n')}`,
  )
})
