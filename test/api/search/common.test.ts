import { afterAll, beforeAll, expect, test } from 'vitest'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import { fill, inTurn, nthId, nthInstant, runSql, text } from '#kit/fill.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'

/** A name that half of a large institute has is searched differently from a rare one, with the same result. */

const STUDENTS = 3000

let app: TestApp
let institute: TestInstitute

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  const id = (value: string) => (engine === 'postgres' ? `${text(value)}::uuid` : text(value))
  const at = nthInstant('n')
  await fill(app, 'student', STUDENTS, {
    id: nthId('student', 'n'),
    tenant_id: id(institute.tenant.id),
    created_at: at,
    branch_id: id(institute.branchId),
    student_number: `substr('S-000000', 1, 8 - length(cast(n as text))) || n`,
    first_name: text('Dana'),
    last_name: `'Levi ' || n`,
    status: inTurn(['lead', 'active']),
    tags: text('[]'),
    updated_at: at,
    search_text: `${inTurn(['dana', 'noa'])} || ' levi ' || n`,
  })
  if (engine === 'postgres') await runSql(app, 'analyze student')
})
afterAll(() => app.close())

const numbers = Array.from({ length: STUDENTS }, (_, index) => STUDENTS - index)
const named = (name: 'dana' | 'noa') => numbers.filter((n) => n % 2 === (name === 'dana' ? 0 : 1))

/** The numbers of all found students, over all pages. */
const found = async (query: string): Promise<number[]> => {
  const all: number[] = []
  let cursor = ''
  do {
    const { status, body } = await institute.owner.get(`/students?limit=100&${query}${cursor}`)
    expect(status).toBe(200)
    all.push(...(body.data as { studentNumber: string }[]).map(({ studentNumber }) => Number(studentNumber.slice(2))))
    cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor as string)}`
  } while (cursor !== '')
  return all
}

const q = (words: string): string => `q=${encodeURIComponent(words)}`

test.each([
  ['a word that everybody has', q('levi'), numbers],
  ['one that every other has', q('dana'), named('dana')],
  ['its beginning, which is in the middle of no word', q('da'), named('dana')],
  ['its first letter', q('d'), named('dana')],
  ['what is in the middle of it', q('ana'), named('dana')],
  ['two words, both common', q('levi noa'), named('noa')],
  ['a common and a rare one', q('levi 2777'), [2777]],
  [
    'a common one and the beginning of a rare one',
    q('dana 29'),
    named('dana').filter((n) => String(n).startsWith('29')),
  ],
  ['common ones that nobody has both of', q('dana noa'), []],
  ['a common one in capitals, and a filter', `${q('DANA')}&status=active`, []],
  ['a common one, and a filter', `${q('NOA')}&status=active`, named('noa')],
  ['what would mean something to the database', q('le%i'), []],
  ['what would mean any letter to the database', q('le_i'), []],
  ['the same, not at its beginning', q('"levi" OR dana'), []],
  ['as many words as fit', q(Array.from({ length: 40 }, () => 'levi').join(' ')), numbers],
])('%s', async (_, query, expected) => {
  expect(await found(query)).toEqual(expected)
})
