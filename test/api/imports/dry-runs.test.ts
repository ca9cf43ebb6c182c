import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { worldOf } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { ZIP_TYPES } from '#kit/open-xml.ts'
import { sheetOf, textCell, workbookOf } from '#kit/workbook.ts'
import { newGroup } from '../examples/academics.ts'
import { countsOf, errorsOf, imported, lines } from './importing.ts'

/** That a dry run tells what the import does, also where rows far from each other have to do with each other. */

let app: TestApp
let school: TestInstitute
beforeAll(async () => {
  app = await startApp()
  school = await makeInstitute(app)
})
afterAll(() => app.close())

const PUPILS = 240
const ids = Array.from({ length: PUPILS }, (_, at) => 200_001 + at)

/** Tries a file, and then imports it. @returns what both say */
const verdict = async (kind: string, rows: string[]) => {
  const tried = await imported(app, school.owner, lines(...rows), { kind, dryRun: true })
  const done = await imported(app, school.owner, lines(...rows), { kind })
  expect(countsOf(tried)).toEqual(countsOf(done))
  expect(errorsOf(tried)).toEqual(errorsOf(done))
  return done
}

test('of students: one number for two of them, one student twice, whatever stands between', async () => {
  const rows = ids.map((id) => `${id},Pupil P${id},2011-01-01`)
  const done = await verdict('students', [
    'Number,Name,Birth date',
    ...rows,
    `${ids[0]},Somebody Else,2012-01-01`,
    `${ids[1]},Pupil P${ids[1]},2011-01-01`,
    `${ids[2]},Pupil Pnew,2011-01-01`,
  ])
  expect(countsOf(done)).toEqual({ rows: PUPILS + 3, created: PUPILS, updated: 1, unchanged: 1, refused: 1 })
  expect(errorsOf(done)).toEqual([`${PUPILS + 2} Number number_of_another`])
})

test('of enrolments: more rows of one group than a slice has, and than the group has places', async () => {
  await newGroup(worldOf(app, school), { name: 'Large', capacity: 150 })
  await newGroup(worldOf(app, school), { name: 'Open', capacity: null })
  const done = await verdict('enrollments', [
    'Student number,Group',
    ...ids.map((id, at) => `${id},${at < 30 ? 'Open' : 'Large'}`),
    // Enrolled already by this file; no student; another place in the group that is full by then.
    `${ids[40]},Large`,
    `999999,Large`,
    `${ids[0]},Large`,
  ])
  expect(countsOf(done)).toEqual({ rows: PUPILS + 3, created: 180, updated: 0, unchanged: 1, refused: 62 })
  expect(new Set(errorsOf(done).map((error) => error.split(' ').at(-1)))).toEqual(
    new Set(['group_full', 'unknown_student']),
  )
})

test('of a plan: those who count against it, and no others', async () => {
  const quotas = JSON.stringify({ maxStudents: PUPILS + 60 }) as never
  const { schema } = app.app.database
  await schema.updateTable('tenant').set({ plan_quotas: quotas }).where('id', '=', school.tenant.id).execute()
  const done = await verdict('students', [
    'Number,Name,Phone,Status',
    // 20 of them leave, and 60 of 120 new ones have left already.
    ...ids.slice(0, 20).map((id) => `${id},,,withdrawn`),
    ...Array.from(
      { length: 160 },
      (_, at) => `,New N${at},05031${String(at).padStart(5, '0')},${at % 4 ? '' : 'left'}`,
    ),
  ])
  expect(countsOf(done)).toEqual({ rows: 180, created: 120, updated: 20, unchanged: 0, refused: 40 })
  // No cell of the row is wrong.
  expect(errorsOf(done)[0]).toMatch(/^\d+ null quota_exceeded$/)
})

test('of one person a file has 100 rows', async () => {
  const done = await verdict('balances', [
    'Student number,Balance',
    ...Array.from({ length: 130 }, (_, at) => `${at % 2 ? ids[30] : `S-${ids[30]}`},${at < 110 ? 100 : 200}`),
    `${ids[31]},5`,
  ])
  expect(countsOf(done)).toEqual({ rows: 131, created: 2, updated: 0, unchanged: 99, refused: 30 })
  expect(errorsOf(done)[0]).toBe('102 Student number too_many_of_one')
})

test('a formula without a result is told by its row and column, and not taken for an empty cell', async () => {
  const cell = (at: string, inside: string, type = 'n') => `<c r="${at}" t="${type}">${inside}</c>`
  const row = (line: number, ...cells: string[]) => `<row r="${line}">${cells.join('')}</row>`
  const sum = '<f>40+2</f>'
  const sheet = sheetOf(
    row(1, textCell('A1', 'Name'), textCell('B1', 'Phone'), textCell('C1', 'Notes'), textCell('D1', 'Of no use')) +
      // A result, and one that is an empty text.
      row(2, textCell('A2', 'Dana Cohen'), cell('B2', `${sum}<v>501239001</v>`), cell('C2', `${sum}<v></v>`, 'str')) +
      row(3, textCell('A3', 'Noa Levi'), textCell('B3', '0501239002'), cell('C3', sum)) +
      // As openpyxl writes it.
      row(4, textCell('A4', 'Omar Saleh'), cell('B4', `${sum}<v></v>`)) +
      row(5, cell('A5', `${sum}<v>#NAME?</v>`, 'e'), textCell('B5', '0501239003')) +
      row(6, textCell('A6', 'Maya Haddad'), textCell('B6', '0501239004'), cell('D6', sum)),
  )
  const { owner } = await makeInstitute(app)
  const done = await imported(app, owner, await workbookOf(sheet), { kind: 'students', type: ZIP_TYPES.xlsx })
  expect(errorsOf(done)).toEqual([
    '3 Notes formula_without_value',
    '4 Phone formula_without_value',
    '5 Name formula_without_value',
  ])
  expect(countsOf(done)).toMatchObject({ rows: 5, created: 2, refused: 3 })
  const csv = String((await owner.get(`/imports/${done.id}/refused`)).body)
  expect(csv).toContain('Notes: is a formula without a result')
})
