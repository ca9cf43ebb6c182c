import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { fill, flag, nthId, nthInstant, runSql, text, uuid } from '#kit/fill.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'

/** One search finds the same in a large institute, whose common words are looked for in other ways, as in a small one. */

const LARGE = 6000
const SMALL = 40
/** The students who came first have a word that nobody has had since. More than a search may read came after them. */
const EARLY = 2600

const statements: string[] = []
let app: TestApp
let large: TestInstitute
let small: TestInstitute

/** Of a phone number's first digits some are all students', and some only those of the oldest: see `phoneOf`. */
const PHONE = '050000777'
const phoneOf = (n: number): string => `0${50_000_000 + n}`

/** Every third is Dana, the others are Noa. */
const nameOf = (n: number): string => (n % 3 === 0 ? 'Dana' : 'Noa')
const labelOf = (n: number): string => `${nameOf(n)} Levi ${n}`

const fillStudents = (institute: TestInstitute, count: number, first: number): Promise<void> =>
  fill(app, 'student', count, {
    id: nthId('student', `(n + ${first})`),
    tenant_id: uuid(text(institute.tenant.id)),
    created_at: nthInstant('n'),
    branch_id: uuid(text(institute.branchId)),
    student_number: `substr('S-000000', 1, 8 - length(cast(n as text))) || n`,
    first_name: `case when n % 3 = 0 then 'Dana' else 'Noa' end`,
    last_name: `'Levi ' || n`,
    status: text('active'),
    tags: text('[]'),
    updated_at: nthInstant('n'),
    search_text: `case when n % 3 = 0 then 'dana' else 'noa' end || ' levi ' || n || ' 0' || (50000000 + n) || case when n <= ${EARLY} then ' early' else '' end`,
  })

/** People of the other types. The oldest of each have a word that nobody has had since. */
const fillOthers = async ({ tenant, branchId }: TestInstitute): Promise<void> => {
  const person = (word: string) => ({
    tenant_id: uuid(text(tenant.id)),
    created_at: nthInstant('n'),
    first_name: text('Rivka'),
    last_name: `'Cohen ' || n`,
    phone: `'+97250' || (1000000 + n)`,
    updated_at: nthInstant('n'),
    search_text: `'rivka cohen ' || n || case when n <= ${EARLY} then ' ${word}' else '' end`,
  })
  const payer = person('payer')
  await fill(app, 'guardian', LARGE, { id: nthId('guardian', 'n'), preferred_locale: text('he'), ...payer })
  const staff = { branch_id: uuid(text(branchId)), is_active: flag(true), ...person('usher') }
  await fill(app, 'staff', LARGE, { id: nthId('staff', 'n'), ...staff })
}

beforeAll(async () => {
  app = await startApp({ queryLog: ({ query }) => statements.push(query.sql) })
  large = await makeInstitute(app)
  small = await makeInstitute(app)
  await fillStudents(large, LARGE, 0)
  await fillStudents(small, SMALL, LARGE)
  await fillOthers(large)
  if (engine === 'postgres') await runSql(app, 'analyze student')
})
afterAll(() => app.close())

const LIMIT = 5
const found = async ({ owner }: { owner: Client }, q: string) => {
  const { status, body } = await owner.get(`/search?q=${encodeURIComponent(q)}&limit=${LIMIT}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return {
    labels: (body.results as { label: string }[]).map(({ label }) => label),
    isTruncated: (body.truncatedTypes as string[]).includes('student'),
  }
}

/** The newest students of an institute of so many who are meant. */
const newest = (count: number, isMeant: (n: number) => boolean) => {
  const all = Array.from({ length: count }, (_, index) => count - index).filter(isMeant)
  return { labels: all.slice(0, LIMIT).map(labelOf), isTruncated: all.length > LIMIT }
}

const SEARCHES: [what: string, q: string, isMeant: (n: number) => boolean][] = [
  ['a word that all have', 'levi', () => true],
  ['its first letters', 'le', () => true],
  ['two common words', 'levi noa', (n) => nameOf(n) === 'Noa'],
  ['a rarer and a common word', 'levi dana', (n) => nameOf(n) === 'Dana'],
  ['what only those who came first have', 'early', (n) => n <= EARLY],
  ['… with a common word', 'levi early', (n) => n <= EARLY],
  ['… with common words', 'noa levi early', (n) => n <= EARLY && nameOf(n) === 'Noa'],
  ['… at the beginning of a word', 'le ea', (n) => n <= EARLY],
  ['what nobody has both of', 'noa dana', () => false],
  ['a common word that is nowhere', 'levi zzz', () => false],
  ['the beginning of a number', 'dana levi 12', (n) => nameOf(n) === 'Dana' && String(n).startsWith('12')],
  ['more letters than the index looks at', 'levi earlyearlyearly', () => false],
]

describe.each([
  ['a large institute', () => large, LARGE],
  ['a small institute beside it', () => small, SMALL],
])('in %s', (_, institute, count) => {
  // Twice: what the first search learns of the institute changes how the second one looks, not what it finds.
  test.each(SEARCHES)('%s', async (_what, q, isMeant) => {
    const expected = newest(count, isMeant)
    expect(await found(institute(), q)).toEqual(expected)
    expect(await found(institute(), q)).toEqual(expected)
  })
})

// Their first digits are common, but those who have them came first: the newest students do not answer the search.
test.each(Array.from({ length: PHONE.length - 1 }, (_, index) => PHONE.slice(0, index + 2)))(
  'an old phone number is found by its digits %s',
  async (digits) => {
    const desk = { owner: await large.member({ permissions: ['students.read'] }) }
    const expected = newest(LARGE, (n) => phoneOf(n).startsWith(digits))
    expect(await found(desk, digits)).toEqual(expected)
    expect(await found(desk, digits)).toEqual(expected)
    expect(await found(desk, `levi ${digits}`)).toEqual(expected)
  },
)

test('who is written after a search is found by the next', async () => {
  expect((await found(large, 'levi early')).labels[0]).toBe(labelOf(EARLY))
  const student = { branchId: large.branchId, firstName: 'Rim', lastName: 'Early Levi' }
  expect((await large.owner.post('/students', student)).status).toBe(201)
  expect((await found(large, 'levi early')).labels[0]).toBe('Rim Early Levi')
})

test.each([
  ['guardian', 'payer'],
  ['staff', 'usher'],
])('a %s is found by a word that only those who came first have, too', async (type, word) => {
  const { body } = await large.owner.get(`/search?q=${word}&limit=1`)
  const sublabel = `+97250${1_000_000 + EARLY}`
  expect(body).toMatchObject({ results: [{ type, label: `Rivka Cohen ${EARLY}`, sublabel }], truncatedTypes: [type] })
})

test('who works for a branch finds its newest, and nobody of the others', async () => {
  const branch = await large.owner.post('/branches', { name: 'South' })
  const isSouth = (n: number): boolean => n % 500 === 0
  await runSql(
    app,
    `update student set branch_id = ${text(branch.body.id)}
     where tenant_id = ${text(large.tenant.id)} and student_number like 'S-___%'
       and cast(substr(student_number, 3) as integer) % 500 = 0`,
  )
  const south = { owner: await large.member({ permissions: ['students.read'], branchId: branch.body.id }) }
  expect(await found(south, 'le')).toEqual(newest(LARGE, isSouth))
  expect(await found(south, 'dana levi')).toEqual(newest(LARGE, (n) => isSouth(n) && nameOf(n) === 'Dana'))
  expect(await found(south, 'early')).toEqual(newest(EARLY, isSouth))
})

describe.runIf(engine === 'postgres')('on Postgres', () => {
  const searches = async (q: string): Promise<string[]> => {
    statements.length = 0
    await found(large, q)
    return statements.filter((statement) => statement.includes('search_text'))
  }

  test('one query looks at all types, and counts of a word are used again', async () => {
    await found(large, 'no')
    expect(await searches('no')).toEqual([expect.stringMatching(/union all/)])
  })

  test('what the index does not know is not looked up in it', async () => {
    expect((await searches('@-')).filter((statement) => /count\(|like \(select/.test(statement))).toEqual([])
  })

  test('a longer word is not counted when its beginning is rare', async () => {
    await found(large, 'dana levi 17')
    const counts = (await searches('dana levi 171')).filter((statement) => statement.includes('count(*)'))
    expect(counts).toEqual([])
  })
})
