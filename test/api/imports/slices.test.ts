import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { grant } from '#kit/grant.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { volume } from '#kit/volume.ts'
import { lines, runAsWorker, tableOf } from './importing.ts'

/** A list comes to the same however many of its rows are written at once: records, refusals, audit log and events. */

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const HEADS = [
  'Student number',
  'Full name',
  'National ID',
  'Phone',
  'Birth date',
  'City',
  'Email',
  'Tags',
  'Status',
  'Branch',
  'Mother name',
  'Mother phone',
  'Father name',
  'Father phone',
] as const
type Cells = Partial<Record<(typeof HEADS)[number], string>>

const NAMES = ['Dana Levi', 'ليان حداد', 'נועה כהן', 'Omar Abu Khalil', 'عبد الرحمن خوري', 'בן ציון מזרחי']
const digits = (number: number, length: number): string => String(number).padStart(length, '0')

/** Numbers of chance that are the same each time. */
const chanceOf = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const family = (at: number): Cells => ({
  'Full name': `${NAMES[at % NAMES.length]}${at}`,
  Phone: `0501${digits(at, 6)}`,
  'Mother name': `Huda ${digits(at, 3)}`,
  'Mother phone': `0591${digits(at, 6)}`,
})

/** What a brother or sister does not have. */
const NOT_SHARED: Cells = { 'Student number': '', 'National ID': '', Phone: '' }

/** What a row may be beside a new student with a mother; `before` is a row further up. */
const GOOD: readonly ((at: number, before: Cells) => Cells)[] = [
  family,
  // A brother or sister, also where the mother's phone is written with the other code.
  (at, before) => ({ ...before, ...NOT_SHARED, 'Full name': `Sibling ${at}` }),
  (at, { 'Mother phone': phone = '', ...before }) => ({
    ...before,
    ...NOT_SHARED,
    'Full name': `Twin ${at}`,
    Phone: `0501${digits(at, 6)}`,
    'Mother phone': phone.startsWith('059') ? `+972${phone.slice(1)}` : phone,
  }),
  // Both parents have one phone, and so may those of a brother before.
  (at) => ({ ...family(at), 'Father name': `Sami ${at}`, 'Father phone': `0591${digits(at, 6)}` }),
  (at, before) => ({
    ...before,
    ...NOT_SHARED,
    'Full name': `Second ${at}`,
    'Father name': 'Sami Haddad',
    'Father phone': before['Mother phone'] ?? '',
  }),
  // The same person once more.
  (at, before) => ({ ...before, City: `City ${at}` }),
  (at) => ({ 'Full name': `Known Nasser`, 'National ID': '123456782', Email: `known-${at}@example.org` }),
  (at) => ({ ...family(at), 'Mother name': 'Rana Khoury', 'Mother phone': '0599000001' }),
  (at) => ({ ...family(at), 'Birth date': '2015-03-01', Tags: 'قديم, new', Status: 'withdrawn', City: 'חיפה' }),
  (at) => ({ 'Full name': `Born ${at % 7}`, 'Birth date': '2014-01-02', 'National ID': '' }),
  (at) => ({ 'Full name': `Numbered ${at}`, 'National ID': digits(at, 4), Branch: at % 2 === 0 ? 'North' : '' }),
  (at) => ({ ...family(at), 'Student number': String(500 + at) }),
]

const BAD: readonly ((at: number, before: Cells) => Cells)[] = [
  (at) => ({ ...family(at), Phone: '12' }),
  (at) => ({ 'Full name': `Nobody ${at}` }),
  (at, before) => ({ ...family(at), 'Mother name': `Other ${at}`, 'Mother phone': before['Mother phone'] ?? '' }),
  (at) => ({ ...family(at), Branch: 'Nowhere' }),
  // A number that the server has given, or is about to give.
  (at) => ({ ...family(at), 'Student number': String(at) }),
]

const ROWS = 120

/** @param badOf how many of a hundred rows may be refused */
const tableOfChance = (seed: number, badOf: number): string => {
  const chance = chanceOf(seed)
  const rows: Cells[] = []
  for (let at = 0; at < ROWS; at += 1) {
    const kinds = chance(100) < badOf ? BAD : GOOD
    const kind = chance(3) === 0 ? family : (kinds[chance(kinds.length)] as (typeof GOOD)[number])
    const families = rows.filter((row) => row['Mother phone'])
    rows.push(kind(at, families[chance(Math.max(1, families.length))] ?? family(at)))
  }
  const line = (cells: Cells): string => HEADS.map((head) => `"${cells[head] ?? ''}"`).join(',')
  return lines(HEADS.join(','), ...rows.map(line))
}

/** An institute in which somebody is there already, and a number on the way is taken. */
const openInstitute = async (): Promise<TestInstitute> => {
  const school = await makeInstitute(app)
  const { owner, branchId } = school
  await owner.post('/branches', { name: 'North', code: 'N' })
  const known = { branchId, firstName: 'Known', lastName: 'Nasser', nationalId: '123456782' }
  await owner.post('/students', known)
  await owner.post('/students', { branchId, firstName: 'Taken', lastName: 'Number', studentNumber: 'S-000009' })
  const rana = { firstName: 'Rana', lastName: 'Khoury', phone: '+970599000001', preferredLocale: 'ar' }
  expect((await owner.post('/guardians', rana)).status).toBe(201)
  return school
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g

/** All that there is of an institute's people, with names in place of ids and without times. */
const dumpOf = async ({ tenant }: TestInstitute) => {
  const { read } = app.app.database
  const students = await read.selectFrom('student').selectAll().where('tenant_id', '=', tenant.id).execute()
  const guardians = await read.selectFrom('guardian').selectAll().where('tenant_id', '=', tenant.id).execute()
  const links = await read.selectFrom('guardian_link').selectAll().where('tenant_id', '=', tenant.id).execute()
  const tags = await read.selectFrom('student_tag').selectAll().where('tenant_id', '=', tenant.id).execute()
  const counters = await read.selectFrom('tenant_counter').selectAll().where('tenant_id', '=', tenant.id).execute()
  const entries = await read
    .selectFrom('audit_entry')
    .select(['action', 'channel', 'actor_type', 'entity_type', 'entity_id', 'before', 'after', 'metadata'])
    .where('tenant_id', '=', tenant.id)
    .where('entity_type', '!=', 'import')
    .execute()
  const events = await read.selectFrom('event').select(['type', 'body']).where('tenant_id', '=', tenant.id).execute()
  const names = new Map([
    ...students.map(({ id, student_number: number }) => [id, number] as const),
    ...guardians.map((one) => [one.id, `${one.first_name} ${one.last_name} ${one.phone}`] as const),
  ])
  const plain = (rows: readonly object[]): string[] =>
    rows
      .map((row) =>
        JSON.stringify(row)
          .replaceAll(UUID, (id) => names.get(id) ?? '*')
          .replaceAll(INSTANT, '@'),
      )
      .toSorted()
  return {
    students: plain(students),
    guardians: plain(guardians),
    links: plain(links),
    tags: plain(tags),
    counters: plain(counters.filter(({ name }) => name !== 'imports under way')),
    entries: plain(entries),
    events: plain(events.map(({ type, body }) => ({ type, data: JSON.parse(body).data }))),
    /** In the order in which the students came. */
    order: students.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(({ student_number: number }) => number),
  }
}

interface Way {
  mostRows: number
  mode?: 'all' | 'by_row'
  quota?: number
}

/** Imports a table into an institute of its own. @returns all that came of it */
const come = async (table: string, { mostRows, mode = 'by_row', quota }: Way) => {
  const school = await openInstitute()
  if (quota !== undefined) await grant(app, school, { quotas: { maxStudents: quota } })
  const fileId = await tableOf(app, school.owner, table)
  const asked = await school.owner.post('/imports', { kind: 'students', fileId, mode })
  expect(asked.status).toBe(202)
  const done = await runAsWorker(app, school, asked.body.id, { sliceMillis: 10_000, mostRows })
  const { status, unknown, created, updated, unchanged, refused, errors, told } = done
  expect([status, unknown]).toEqual([mode === 'all' && refused > 0 ? 'failed' : 'done', []])
  return { ...(await dumpOf(school)), counts: { created, updated, unchanged, refused }, errors, told }
}

const SEEDS = Array.from({ length: volume(3, 40) }, (_, seed) => seed + 1)

describe('rows of chance, written one, seven and a hundred at once', () => {
  test.each(SEEDS)('of which none is refused: seed %i', async (seed) => {
    const table = tableOfChance(seed, 0)
    const one = await come(table, { mostRows: 1 })
    expect(one.errors).toEqual([])
    expect(one.counts.created).toBeGreaterThan(ROWS / 3)
    expect(await come(table, { mostRows: 7 })).toEqual(one)
    expect(await come(table, { mostRows: 100 })).toEqual(one)
    expect(await come(table, { mostRows: 100, mode: 'all' })).toEqual(one)
  })

  test.each(SEEDS)('of which some are refused: seed %i', async (seed) => {
    const table = tableOfChance(seed, 4)
    const one = await come(table, { mostRows: 1 })
    expect(one.counts.refused).toBeGreaterThan(0)
    expect(await come(table, { mostRows: 7 })).toEqual(one)
    expect(await come(table, { mostRows: 100 })).toEqual(one)
  })

  test('where the plan is full on the way', async () => {
    const table = tableOfChance(77, 2)
    const one = await come(table, { mostRows: 1, quota: 40 })
    expect(one.errors.some(({ reason }: { reason: string }) => reason === 'quota_exceeded')).toBe(true)
    expect(await come(table, { mostRows: 100, quota: 40 })).toEqual(one)
  })

  test.each([1, 100])(
    'a student whom a row above gave another name or a date of birth is known, of %i at once',
    async (mostRows) => {
      const school = await openInstitute()
      const { owner, branchId } = school
      await owner.post('/students', {
        branchId,
        firstName: 'Dana',
        lastName: 'Cohen',
        birthDate: '2010-01-01',
        studentNumber: 'S-000077',
      })
      await owner.post('/students', { branchId, firstName: 'Omar', lastName: 'Haddad', studentNumber: 'S-000078' })
      const table = lines(
        'Student number,Full name,Birth date',
        '77,Dana Levi,',
        ',Dana Levi,2010-01-01',
        '78,,2011-01-01',
        ',Omar Haddad,2011-01-01',
      )
      const fileId = await tableOf(app, owner, table)
      const { body } = await owner.post('/imports', { kind: 'students', fileId })
      const done = await runAsWorker(app, school, body.id, { sliceMillis: 10_000, mostRows })
      expect(done).toMatchObject({ created: 0, updated: 2, unchanged: 2, errors: [] })
    },
  )

  test.each([1, 3, 100])(
    'a row that is refused for its guardian frees no place in the plan, also where it is tried, of %i at once',
    async (mostRows) => {
      const school = await openInstitute()
      const { owner, branchId } = school
      await owner.post('/students', { branchId, firstName: 'Dana', lastName: 'Cohen', studentNumber: 'S-000077' })
      await grant(app, school, { quotas: { maxStudents: 4 } })
      const table = lines(
        'Student number,Full name,Status,Mother name,Mother phone,Phone',
        '77,Dana Cohen,withdrawn,Other Name,0599000001,',
        ',Omar Haddad,,,,0501000001',
        ',Omar Nasser,,,,0501000002',
      )
      const fileId = await tableOf(app, owner, table)
      const ask = async (dryRun: boolean) => {
        const { body } = await owner.post('/imports', { kind: 'students', fileId, dryRun })
        const { created, updated, refused, errors } = await runAsWorker(app, school, body.id, {
          sliceMillis: 10_000,
          mostRows,
        })
        return { created, updated, refused, errors }
      }
      const tried = await ask(true)
      expect(tried).toEqual(await ask(false))
      expect(tried).toMatchObject({ created: 1, updated: 0, refused: 2 })
    },
  )

  test.each([1, 100])('a number that a row above was given is another’s, of %i at once', async (mostRows) => {
    const others = Array.from({ length: 8 }, (_, at) => `,Dana D${at},0501${digits(at, 6)}`)
    const table = lines(
      'Student number,Full name,Phone',
      ...others,
      '4,Omar Haddad,0502000001',
      ',Lina Levi,0502000002',
    )
    const school = await openInstitute()
    const fileId = await tableOf(app, school.owner, table)
    const { body } = await school.owner.post('/imports', { kind: 'students', fileId })
    const { created, errors } = await runAsWorker(app, school, body.id, { sliceMillis: 10_000, mostRows })
    expect(created).toBe(9)
    expect(errors).toMatchObject([{ row: 10, field: 'studentNumber', reason: 'number_of_another' }])
    // The second is the first who was there already; the ninth number is taken.
    const numbers = (await dumpOf(school)).order.filter((number) => number !== 'S-000009')
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10, 11].map((number) => `S-${digits(number, 6)}`))
  })
})
