import { afterAll, beforeAll, expect, test } from 'vitest'
import { engine, NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { loadExamples, sendExample, worldOf } from '#kit/examples.ts'
import { runSql } from '#kit/fill.ts'
import { makeInstitute } from '#kit/institute.ts'
import { query, readCatalogue } from '#kit/pairs/records.ts'
import { SET_IN_PASSING, watchWrites, type Write } from '#kit/writes.ts'

/** The basis of the tests that say "and nothing was written": a write to any single column of any table is noticed. */

let app: TestApp
let writes: () => Promise<Write[]>

beforeAll(async () => {
  app = await startApp({ config: { registration: true, ...NO_LIMITS } })
  writes = await watchWrites(app)
})
afterAll(() => app.close())

test(
  'every non-empty column of every table is watched, except those that requests set in passing',
  { timeout: 180_000 },
  async () => {
    const world = worldOf(app, await makeInstitute(app))
    const maker = await loadExamples()
    for (const endpoint of app.app.endpoints.filter(({ method, closed }) => method === 'POST' && !closed)) {
      const example = await maker(endpoint).make(world)
      await sendExample(endpoint, example, example.as ?? world.owner)
    }
    const { columns } = await readCatalogue(app)
    const place = engine === 'postgres' ? 'ctid' : 'rowid'
    const looked = new Set<string>()
    const unseen: string[] = []
    for (const { table, column } of columns) {
      const [row] = await query<{ count: number }>(app, `select count(*) as count from "${table}"`)
      if (row?.count === 0) continue
      looked.add(table)
      await writes()
      const set = `update "${table}" set "${column}" = "${column}"`
      const refused = await runSql(app, `${set} where ${place} = (select ${place} from "${table}" limit 1)`).then(
        () => false,
        (error: unknown) => String(error).includes('append-only'),
      )
      const seen = await writes()
      if (!refused && (seen.length !== 1 || seen[0]?.table !== table || seen[0].how !== 'update')) {
        unseen.push(`${table}.${column}`)
      }
    }
    expect(unseen).toEqual(Object.entries(SET_IN_PASSING).map((parts) => parts.join('.')))
    expect(looked.size).toBeGreaterThan(30)
  },
)

test('an added or deleted row is reported with its values; what is rolled back is not reported', async () => {
  const institute = await makeInstitute(app)
  await writes()
  await institute.owner.post('/branches', { name: 'Planted' })
  const added = await writes()
  expect(added.find(({ table }) => table === 'branch')).toMatchObject({
    how: 'insert',
    row: expect.stringContaining(`name='Planted'`),
  })
  const undone = app.app.database.write(async (db) => {
    await db.updateTable('branch').set({ code: 'undone' }).execute()
    throw new Error('rolled back')
  })
  await expect(undone).rejects.toThrow('rolled back')
  expect(await writes()).toEqual([])
  await runSql(app, `delete from "branch" where name = 'Planted'`)
  expect(await writes()).toMatchObject([
    { table: 'branch', how: 'delete', row: expect.stringContaining(`name='Planted'`) },
  ])
})
