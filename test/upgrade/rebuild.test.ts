import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Database, Engine } from '#db/database.ts'
import { migrate } from '#db/steps/migrate.ts'
import type { AnyDb, Migration } from '#db/schema-kit.ts'
import { isNightly } from '#kit/volume.ts'
import { migrations } from '#migrations'
import { databaseAt, ENGINES, fillWith, schemaOf, STEPS } from './databases.ts'
import { KEPT, readKept, type Kept } from './kept.ts'
import { DROPPED, PLANTED, REBUILT } from './planted.ts'
import { columnsOf, fillRest, valuesOf } from './rows.ts'

/** The newest tells of a fault in a rebuild; what earlier ones hold goes through every step in upgrade.test.ts. */
const KEPT_HERE = isNightly ? KEPT : KEPT.slice(-1)

const SEARCHED = ['student', 'guardian', 'staff', 'group']

const KILLED = path.join(import.meta.dirname, 'killed.process.ts')

/** The statements after which the upgrade is killed. */
const MOMENTS: Record<Engine, string[]> = {
  sqlite: [
    '^create table "student_rebuilt"',
    '^insert into "student_rebuilt"',
    '^drop table "student"',
    '^alter table "student_rebuilt"',
    '^drop table "tenant"',
    `^insert into "schema_migration".*${Object.keys(PLANTED).at(-1)}`,
  ],
  postgres: [
    '^alter table "student" add column',
    '^alter table "student" .*constraint',
    `^insert into "schema_migration".*${Object.keys(PLANTED).at(-1)}`,
  ],
}

/** An institute of an earlier version with rows in every table, upgraded to the current schema unless it `waits`. */
const instituteOf = async (engine: Engine, step: string, { waits = false } = {}) => {
  const kept = readKept(step)
  const opened = await databaseAt(engine, step)
  onTestFinished(async () => {
    await opened.database.close()
    await opened.drop?.()
  })
  await fillWith(opened.database, kept.tables)
  if (!waits) await migrate(opened.database, migrations)
  await fillRest(opened.database, kept)
  return { ...opened, kept }
}

const stateOf = async (database: Database) => ({
  schema: await schemaOf(database),
  values: await valuesOf(database, await columnsOf(database)),
  keys: database.sqlite?.pragma('foreign_keys', { simple: true }),
})

/** The rows that the search index finds for each word of each row. */
const hitsOf = async ({ engine, schema }: Database): Promise<string[]> => {
  const hits: string[] = []
  for (const table of SEARCHED) {
    const from = sql.table(table)
    const { rows } = await sql<{ text: string }>`select search_text as text from ${from}`.execute(schema)
    for (const word of new Set(rows.flatMap(({ text }) => text.split(' ')))) {
      const found = await (
        engine === 'sqlite'
          ? sql<{ id: string }>`select id from ${from} where rowid in
              (select rowid from ${sql.table(`${table}_search`)} where search_text match ${`"  ${word}"`})`
          : sql<{ id: string }>`select id from ${from} where (' ' || search_text) like ${`% ${word}%`}`
      ).execute(schema)
      hits.push(
        `${table} ${word}: ${found.rows
          .map(({ id }) => id)
          .toSorted()
          .join()}`,
      )
    }
  }
  return hits
}

/** SQLite compares its search index with the indexed table. */
const expectWholeIndexes = ({ sqlite }: Database): void => {
  for (const table of SEARCHED) {
    sqlite?.exec(`insert into "${table}_search"("${table}_search", rank) values ('integrity-check', 1)`)
  }
}

const NEWEST = 'order by created_at desc, id desc limit 50'

const LISTS = [
  `select * from student where tenant_id = ? ${NEWEST}`,
  `select * from invoice where tenant_id = ? ${NEWEST}`,
  `select * from payment where tenant_id = ? ${NEWEST}`,
  `select * from enrollment where tenant_id = ? ${NEWEST}`,
  `select * from student where tenant_id = ? and status = ? ${NEWEST}`,
  `select * from student where tenant_id = ? and branch_id = ? and status = ? ${NEWEST}`,
  'select * from student where rowid in (select rowid from student_search where student_search match ?) and tenant_id = ?',
  'select * from session where tenant_id = ? and group_id = ? order by scheduled_start, id limit 50',
  'select * from attendance where tenant_id = ? and session_id = ?',
  'select * from invoice where status = ? and due_date < ? order by due_date, tenant_id limit 50',
  `select * from payment where tenant_id = ? and invoice_id = ? ${NEWEST}`,
  'select * from course_category where tenant_id = ? and parent_id = ?',
]

const plansOf = ({ sqlite }: Database): unknown[] =>
  LISTS.map((list) => {
    const steps = sqlite?.prepare(`explain query plan ${list}`).all(...(list.match(/\?/g) ?? []).map(() => null))
    return [list, (steps as { detail: string }[] | undefined)?.map(({ detail }) => detail)]
  })

const expectRefusal = async (database: Database, statement: string, message: RegExp): Promise<void> => {
  const done = database.write((db) => sql.raw(statement).execute(db))
  await expect(done, statement).rejects.toThrow(message)
}

describe.each(ENGINES)('on %s', (engine) => {
  test.each(KEPT_HERE)('tables of an institute of %s are rebuilt, and nothing is lost or changed', async (step) => {
    const { database, kept } = await instituteOf(engine, step)
    const columns = await columnsOf(database)
    const before = await valuesOf(database, columns, DROPPED)
    for (const [table, rows] of before) expect(rows, table).not.toEqual([])
    const [schema, hits, plans] = [await schemaOf(database), await hitsOf(database), plansOf(database)]
    expect(hits.length).toBeGreaterThan(10)

    expect(await migrate(database, { ...migrations, ...PLANTED })).toEqual(Object.keys(PLANTED))

    expect(await valuesOf(database, columns, DROPPED)).toEqual(before)
    expect(await hitsOf(database)).toEqual(hits)
    expectWholeIndexes(database)
    expect(plansOf(database)).toEqual(plans)
    const changed = [...new Set(await schemaOf(database)).symmetricDifference(new Set(schema))]
    const meant =
      engine === 'sqlite'
        ? new RegExp(`^table (${REBUILT.join('|')}): |lesson_id`)
        : /status = any|method = any|sponsor_id|last_name|locale|url|series|lesson_id|\(tenant_id, (teacher_staff|parent)_id\)/i
    expect(changed.filter((line) => !meant.test(line))).toEqual([])
    // The definition of each table before and after; and the index that goes with its column.
    if (engine === 'sqlite') expect(changed).toHaveLength(2 * REBUILT.length + 1)
    await expectRulesToHold(database, kept)
  })

  test.each(KEPT_HERE)(
    'an upgrade of %s that is killed anywhere in a rebuild changes nothing, and the next start completes it',
    { timeout: 60_000 },
    async (step) => {
      const opened = await instituteOf(engine, step, { waits: true })
      const before = await stateOf(opened.database)
      const columns = await columnsOf(opened.database)
      const rows = await valuesOf(opened.database, columns, DROPPED)
      // Close the database, so that the next process is the first to see what the killed one left.
      if (engine === 'sqlite') await opened.database.close()
      for (const moment of MOMENTS[engine]) {
        const where = opened.url ?? opened.file
        const child = fork(KILLED, [engine, where, moment], { execArgv: [] })
        const [, signal] = await once(child, 'exit')
        expect(signal, moment).toBe('SIGKILL')
        const database = opened.open()
        expect(await stateOf(database), moment).toEqual(before)
        expect(database.sqlite?.pragma('integrity_check', { simple: true }) ?? 'ok', moment).toBe('ok')
        await database.close()
      }
      const database = opened.open()
      const steps = [...STEPS.slice(STEPS.indexOf(step) + 1), ...Object.keys(PLANTED)]
      expect(await migrate(database, { ...migrations, ...PLANTED })).toEqual(steps)
      const after = await valuesOf(database, columns, DROPPED)
      // Since 0032 the students that count in a plan are counted, and since 0050 the receipts of earlier payments.
      const counters = after.get('tenant_counter') ?? []
      after.set(
        'tenant_counter',
        counters.filter((row) => !/students in plan|receipt \d/.test(row)),
      )
      expect(after).toEqual(rows)
      expectWholeIndexes(database)
      await database.close()
    },
  )

  test.each<[string, Migration, RegExp]>([
    [
      'a rule that its rows break',
      {
        rebuilds: true,
        up: async (db, kit) => {
          await db.schema.alterTable('student').addColumn('sponsor_id', kit.id).execute()
          await sql`update student set sponsor_id = id`.execute(db)
          await kit.rebuild(db, 'student', { rules: [kit.belongsTo('sponsor_id', 'guardian', 'cascade')] })
        },
      },
      /undone.*( 6 rows of student without their guardian|"fk_sponsor_id_guardian")/,
    ],
    [
      'children of another table without their parents',
      {
        rebuilds: true,
        up: async (db, kit) => {
          await kit.rebuild(db, 'student', { nullable: ['last_name'] })
          await sql`delete from webhook_endpoint`.execute(db)
          await sql`delete from staff`.execute(db)
        },
      },
      engine === 'sqlite'
        ? /undone.* 1 rows of group without their staff;.* 1 rows of webhook_delivery without their webhook_endpoint/
        : /"webhook|"staff/,
    ],
  ])('a rebuild that would leave %s fails, and everything stays as it was', async (_, step, message) => {
    const { database } = await instituteOf(engine, KEPT.at(-1) as string)
    const before = await stateOf(database)
    const failed = migrate(database, { ...migrations, '9001_wrong': step })
    await expect(failed).rejects.toThrow(message)
    expect(await stateOf(database)).toEqual(before)
    expect(await migrate(database, { ...migrations, ...PLANTED })).toEqual(Object.keys(PLANTED))
  })

  test('rows that violate the rebuilt table’s constraints make it fail, and everything stays as it was', async () => {
    const { database } = await instituteOf(engine, KEPT.at(-1) as string)
    const before = await stateOf(database)
    const changes = [
      (kit: Parameters<Migration['up']>[1]) => ({ rules: [kit.oneOf('student', 'status', ['lead'])] }),
      () => ({ notNull: ['email'] }),
    ]
    for (const change of changes) {
      const step: Migration = { rebuilds: true, up: (db, kit) => kit.rebuild(db, 'student', change(kit)) }
      await expect(migrate(database, { ...migrations, '9001_wrong': step })).rejects.toThrow(/constraint|null/)
      expect(await stateOf(database)).toEqual(before)
    }
  })
})

test('on sqlite a migration that does not declare a rebuild may not rebuild, because it would delete the children', async () => {
  const { database } = await instituteOf('sqlite', KEPT.at(-1) as string)
  const before = await stateOf(database)
  const step: Migration = { up: (db, kit) => kit.rebuild(db, 'webhook_endpoint', { nullable: ['url'] }) }
  await expect(migrate(database, { ...migrations, '9001_silent': step })).rejects.toThrow(
    'must declare `rebuilds: true`',
  )
  expect(await stateOf(database)).toEqual(before)
})

/** Checks the constraints from before, and those that the migrations added or removed. */
const expectRulesToHold = async (database: Database, { tables }: Kept): Promise<void> => {
  const first = (table: string): string => String(tables[table]?.[0]?.['id'])
  const student = `(select min(id${database.engine === 'sqlite' ? '' : '::text'}) from student)`
  const byId = database.engine === 'sqlite' ? 'id' : 'id::text'
  const run = (statement: string) => database.write((db) => sql.raw(statement).execute(db))
  for (const table of ['payment', 'audit_entry']) {
    await expectRefusal(database, `update "${table}" set id = id`, /append-only/)
    await expectRefusal(database, `delete from "${table}"`, /append-only/)
  }
  const broken = /foreign key/i
  await expectRefusal(database, `delete from tenant`, broken)
  await expectRefusal(database, `delete from "user"`, broken)
  await expectRefusal(database, `delete from invoice`, broken)
  await expectRefusal(database, `update student set sponsor_id = '${first('tenant')}'`, broken)
  await expectRefusal(
    database,
    `update enrollment set student_id = '${first('tenant')}' where id = '${first('enrollment')}'`,
    broken,
  )
  await expectRefusal(database, `update student set status = 'unheard of'`, /check/i)
  await expectRefusal(database, `update invoice set series = null`, /null/i)
  await run(`update student set status = 'guest', last_name = null, sponsor_id = '${first('guardian')}'`)
  await run(`update session set status = 'moved'`)
  await run(`update tenant set status = 'closed'`)

  const count = async (statement: string): Promise<number> => {
    const { rows } = await sql<{ n: number }>`${sql.raw(statement)}`.execute(database.schema)
    return Number(rows[0]?.n)
  }
  await run(`update student set search_text = 'zyxw vuts' where ${byId} = ${student}`)
  const hits = await hitsOf(database)
  expect(hits.filter((hit) => hit.startsWith('student zyxw'))).toHaveLength(1)
  expect(hits.find((hit) => hit.startsWith('student zyxw'))).not.toMatch(/: $/)
  expectWholeIndexes(database)

  // The rebuilt foreign key still deletes children with their parent.
  const [added] = (await (database.read as AnyDb).selectFrom('student_tag').select('student_id').execute()) as {
    student_id: string
  }[]
  await run(`delete from student where id = '${added?.student_id}'`)
  expect(await count('select count(*) as n from student_tag')).toBe(0)
  expectWholeIndexes(database)
}
