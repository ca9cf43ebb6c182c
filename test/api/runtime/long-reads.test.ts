import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runsOnReadingThread } from '#db/queries/long-reads.ts'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { fill, flag, inTurn, nthId, nthInstant, runSql, text } from '#kit/fill.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newGroup, newSession } from '../examples/sessions.ts'

/**
 * On SQLite a query blocks the whole server: one that would read very many rows stops after a bounded number of them,
 * and runs in another thread. The reply is the same.
 */

const MANY = 5200
/** The oldest students, in their own branch: a list reads too many others before it finds them. */
const NORTH = 400

let app: TestApp
let institute: TestInstitute
let manager: Client
let north: string
const ran: { aside: boolean; failed: boolean; sql: string; parameters: readonly unknown[] }[] = []

const uuid = (sql: string) => (engine === 'postgres' ? `(${sql})::uuid` : sql)

beforeAll(async () => {
  app = await startApp({
    queryLog: ({ level, query }) =>
      ran.push({
        aside: runsOnReadingThread(query),
        failed: level === 'error',
        sql: query.sql,
        parameters: query.parameters,
      }),
  })
  institute = await makeInstitute(app)
  const { owner } = institute
  north = (await owner.post('/branches', { name: 'North' })).body.id as string
  manager = await institute.member({ role: 'branch_manager', branchId: north })
  const tenant = uuid(text(institute.tenant.id))
  const branch = uuid(`case when n <= ${NORTH} then ${text(north)} else ${text(institute.branchId)} end`)
  const at = nthInstant('n')
  const rows = (table: string, count: number, columns: Record<string, string>) =>
    fill(app, table, count, { id: nthId(table, 'n'), tenant_id: tenant, created_at: at, ...columns })
  await rows('student', MANY, {
    branch_id: branch,
    student_number: `substr('S-000000', 1, 8 - length(cast(n as text))) || n`,
    first_name: text('Dana'),
    last_name: `'Levi ' || n`,
    status: `case when n <= 3 or n % 2 = 1 then 'paused' else 'active' end`,
    tags: text('[]'),
    updated_at: at,
    search_text: `case when n <= 3 or n % 2 = 0 then 'dana' else 'noa' end || ' levi ' || ${inTurn(['a000000000000z', 'a000000000001z'])} || ' ' || n`,
  })
  await rows('guardian', MANY, {
    first_name: text('Ruth'),
    last_name: `'Levi ' || n`,
    phone: `'+97250' || (1000000 + n)`,
    preferred_locale: text('he'),
    updated_at: at,
    search_text: `'ruth levi ' || n`,
  })
  await rows('guardian_link', MANY, {
    student_id: nthId('student', 'n'),
    guardian_id: nthId('guardian', 'n'),
    relationship: text('mother'),
    is_primary: flag(true),
    is_payer: flag(true),
  })
  await rows('audit_entry', MANY, {
    actor_type: text('user'),
    channel: text('web'),
    action: inTurn(['students.create', 'students.update']),
    entity_type: inTurn(['student', 'guardian']),
  })
  await fillGroup(rows, branch, tenant)
  await fillDays(rows)
  if (engine === 'postgres') await runSql(app, 'analyze')
})
afterAll(() => app.close())

let groupId: string
const PUPILS = 60
const SESSIONS = 40

/** A group whose students each attended three of four sessions, and many invoices. */
const fillGroup = async (
  rows: (table: string, count: number, columns: Record<string, string>) => Promise<void>,
  branch: string,
  tenant: string,
): Promise<void> => {
  const { owner, branchId } = institute
  const category = await owner.post('/course-categories', { name: 'Languages', slug: 'languages' })
  const course = await owner.post('/courses', { categoryId: category.body.id, name: 'English' })
  const group = await owner.post('/groups', { courseId: course.body.id, branchId, name: 'Large' })
  groupId = group.body.id as string
  const at = nthInstant('n')
  const group_id = uuid(text(groupId))
  await rows('enrollment', PUPILS, {
    student_id: nthId('student', 'n'),
    group_id,
    status: text('active'),
    price_minor: '45000',
    currency: text('ILS'),
    price_overridden: flag(false),
    enrolled_at: at,
    updated_at: at,
  })
  const start = nthInstant(`3240000 + n`)
  await rows('session', SESSIONS, {
    group_id,
    scheduled_start: start,
    scheduled_end: nthInstant('3240000 + n + 60'),
    status: text('held'),
    updated_at: at,
  })
  await fill(app, 'attendance', PUPILS * SESSIONS, {
    tenant_id: tenant,
    session_id: nthId('session', `(n - 1) % ${SESSIONS} + 1`),
    student_id: nthId('student', `(n - 1) / ${SESSIONS} + 1`),
    status: inTurn(['absent', 'present', 'late', 'present']),
    minutes_late: '0',
    marked_at: at,
  })
  await rows('invoice', MANY, {
    branch_id: branch,
    student_id: nthId('student', 'n'),
    number: `'N-' || n`,
    status: inTurn(['draft', 'issued']),
    issue_date: text('2020-01-01'),
    due_date: text('2020-02-01'),
    currency: text('ILS'),
    subtotal_minor: '1',
    discount_minor: '0',
    tax_minor: '0',
    total_minor: '1',
    updated_at: at,
  })
}

/** Two days of April with two short sessions a minute, of a group without teacher, room or students. */
const fillDays = async (
  rows: (table: string, count: number, columns: Record<string, string>) => Promise<void>,
): Promise<void> => {
  const start = (minutes: number) => nthInstant(`3300000 + n / 2 + ${minutes}`)
  await rows('session', MANY, {
    id: nthId('session', `n + ${SESSIONS}`),
    group_id: uuid(text(await newGroup(institute))),
    scheduled_start: start(0),
    scheduled_end: start(1),
    status: text('scheduled'),
    updated_at: start(0),
  })
}

/** The reply to a request, and whether it needed the other thread. */
const look = async (client: Client, path: string) => {
  ran.length = 0
  const { status, body } = await client.get(path)
  expect(status, JSON.stringify(body)).toBe(200)
  return { body, aside: ran.some((query) => query.aside), left: ran.some((query) => query.failed) }
}

/** Reads a list page by page; only SQLite has the other thread. */
const all = async (client: Client, path: string) => {
  const found: Record<string, unknown>[] = []
  let aside = false
  let cursor = ''
  do {
    const page = await look(client, `${path}${path.includes('?') ? '&' : '?'}limit=100${cursor}`)
    found.push(...(page.body.data as Record<string, unknown>[]))
    aside ||= page.aside
    cursor = page.body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(page.body.nextCursor as string)}`
  } while (cursor !== '')
  return { found, aside }
}

const onSqlite = engine === 'sqlite'
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => to - index)
const numberOf = ({ lastName }: Record<string, unknown>) => Number((lastName as string).slice(5))

describe('a page is searched among a bounded number of rows, and then in the other thread', () => {
  test('when two filters match many rows each and none together', async () => {
    const pair = await look(institute.owner, '/audit?action=students.create&entityType=guardian')
    expect(pair.body).toEqual({ data: [], nextCursor: null })
    expect([pair.aside, pair.left]).toEqual([onSqlite, onSqlite])
  })

  test('when a common word and a filter match only in the oldest rows', async () => {
    const { found, aside } = await all(institute.owner, '/students?q=dana&status=paused')
    expect(found.map(numberOf)).toEqual([3, 2, 1])
    expect(aside).toBe(onSqlite)
  })

  test('when two common words never occur together', async () => {
    const { found, aside } = await all(institute.owner, '/students?q=dana%20noa')
    expect(found).toEqual([])
    expect(aside).toBe(onSqlite)
  })

  test('when a branch has only old rows: every page is there, in order', async () => {
    const { found, aside } = await all(manager, '/guardians')
    expect(found.map(numberOf)).toEqual(numbers(1, NORTH))
    expect(aside).toBe(onSqlite)
  })

  test.each([
    ['a list', '/students'],
    ['one filter', '/students?status=paused'],
    ['a word that all have', '/students?q=levi'],
    ['a rare word', '/students?q=4321'],
    ['a word that all have, and a filter', '/students?q=levi&status=active'],
    ['two filters', '/audit?action=students.create&entityType=student'],
  ])('but not when few rows suffice: %s', async (_, path) => {
    const { body, aside, left } = await look(institute.owner, path)
    expect((body.data as unknown[]).length).toBeGreaterThan(0)
    expect([aside, left]).toEqual([false, false])
  })

  test.each<['owner' | 'manager', string, boolean]>([
    ['owner', '/students', false],
    ['owner', '/students?status=paused', false],
    ['owner', '/students?status=paused&branchId=NORTH', false],
    ['owner', '/students?q=levi&status=active', true],
    ['owner', '/audit?action=students.create&entityType=student', true],
    ['manager', '/students', false],
    ['manager', '/students?status=paused', false],
    ['manager', '/guardians', true],
  ])('rows are counted only when no index covers the whole query: %s, %s', async (who, path, counts) => {
    const caller = who === 'owner' ? institute.owner : manager
    await look(caller, path.replace('NORTH', north))
    expect(ran.some(({ sql }) => sql.includes('count_row('))).toBe(onSqlite && counts)
  })

  test('the other thread sees a change of the same caller', async () => {
    const { owner } = institute
    for (const number of [3, 2, 1]) {
      const found = (await all(owner, '/students?q=dana&status=paused')).found
      expect(found.map(numberOf)).toEqual(numbers(1, number))
      expect((await owner.post(`/students/${found[0]?.id as string}/status`, { status: 'active' })).status).toBe(200)
    }
    expect((await all(owner, '/students?q=dana&status=paused')).found).toEqual([])
  })
})

test('the other thread finds the running sessions at the start of a conflict list, when there may be very many', async () => {
  const inRoom = await newGroup(institute, { room: 'A' })
  const from = '2026-04-12T00:00:00.000Z'
  const [first, second] = [
    await newSession(institute, inRoom, {
      scheduledStart: '2026-04-11T23:00:00Z',
      scheduledEnd: '2026-04-12T00:30:00Z',
    }),
    await newSession(institute, inRoom, { scheduledStart: from, scheduledEnd: '2026-04-12T01:00:00Z' }),
  ]
  const { body, aside, left } = await look(institute.owner, `/schedule-conflicts?from=${from}`)
  expect(body.data).toMatchObject([{ sessionId: first, otherSessionId: second, kind: 'room', from }])
  expect([aside, left]).toEqual([onSqlite, onSqlite])
  // On a usual day the main thread answers alone.
  expect(await look(institute.owner, '/schedule-conflicts?from=2026-05-01T00:00:00Z')).toMatchObject({
    aside: false,
    left: false,
  })
})

describe('a summary of very many rows is made in the other thread', () => {
  const onlyAside = () => ran.filter(({ sql }) => sql.includes('group by')).map(({ aside }) => aside)

  test('of the attendance of a large group', async () => {
    const { body } = await look(institute.owner, `/groups/${groupId}/attendance/summary?from=2026-01-01&to=2026-03-31`)
    const students = body.students as unknown[]
    expect(students).toHaveLength(PUPILS)
    for (const student of students) {
      expect(student).toMatchObject({ present: 20, late: 10, absent: 10, excused: 0, totalHeld: SESSIONS, rate: 75 })
    }
    expect(onlyAside()).toEqual([true])
  })

  test('but not for few rows', async () => {
    await look(institute.owner, `/groups/${groupId}/attendance/summary?from=2020-01-01&to=2020-03-31`)
    expect(onlyAside()).toEqual([false])
  })

  test('of the open balances', async () => {
    const { body } = await look(institute.owner, '/billing/summary')
    expect(body).toMatchObject({
      outstanding: { amountMinor: MANY / 2, currency: 'ILS' },
      byStatus: { draft: MANY / 2, issued: MANY / 2, paid: 0 },
    })
    expect(onlyAside()).toEqual([true])
  })
})

describe('a search', () => {
  const search = async (q: string) => {
    const { found } = await all(institute.owner, `/students?q=${encodeURIComponent(q)}`)
    return found.map(numberOf)
  }
  /** The queries that SQLite's index got. */
  const asked = () =>
    ran
      .flatMap(({ sql, parameters }) => (sql.includes(' match ') ? parameters : []))
      .map(String)
      .filter((parameter) => parameter.startsWith('"'))

  test('searches for a word once, however often it occurs in the query', async () => {
    const words = `${Array.from({ length: 39 }, () => 'noa').join(' ')} 4321`
    expect(await search(words)).toEqual([4321])
    await look(institute.owner, `/students?q=${encodeURIComponent(words)}`)
    for (const match of asked()) expect(match.length).toBeLessThan(20)
  })

  test('searches for the first eight different words', async () => {
    const eight = 'levi dana l le lev d da dan'
    expect(await search(`${eight} 4321`)).toHaveLength(MANY / 2 + 2)
    expect(await search(`4320 ${eight}`)).toEqual([4320])
  })

  test('matches a long word in full, and asks the index only for its beginning', async () => {
    expect(await search('a000000000000z 4320')).toEqual([4320])
    expect(await search('a000000000001z 4320')).toEqual([])
    expect(await search('a0000000000000z')).toEqual([])
    await look(institute.owner, `/students?q=${'0'.repeat(199)}`)
    for (const match of asked()) expect(match.length).toBeLessThan(15)
  })

  test.each([
    ['marks', '\u0301\u0327'.repeat(100)],
    ['brackets', '('.repeat(200)],
    ['signs', '+'.repeat(199)],
    ['signs and blanks', Array.from({ length: 99 }, () => '+').join(' ')],
    ['what might be a number, over and over', '1( '.repeat(66)],
    ['letters that are taken apart', 'ﷺ'.repeat(200)],
    ['words of one letter', Array.from({ length: 99 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join(' ')],
  ])('of %s needs few index queries', async (_, q) => {
    const { body } = await look(institute.owner, `/students?q=${encodeURIComponent(q)}`)
    expect(body.data).toEqual([])
    expect(asked().join(' ').length).toBeLessThan(1000)
  })
})
