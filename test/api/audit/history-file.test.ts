import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changesIn } from '#shared/audit-changes.ts'
import { sentenceOf, type Telling } from '#shared/audit-sentence.ts'
import { AUDIT_WORDS } from '#shared/audit-words.ts'
import { LOCALES, type Locale } from '#shared/locale.ts'
import { Written } from '#shared/written.ts'
import { readCsv, unzip } from '#kit/archive.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'

let app: TestApp
let institute: TestInstitute
let student: string
/** A name that a spreadsheet would compute, and one that would turn the sentence around. */
const HOSTILE = '=1+"1"'
const BRANCH = 'فرع (North)'

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  const { owner } = institute
  const branchId = (await owner.post('/branches', { name: BRANCH })).body.id
  const person = { branchId: institute.branchId, firstName: HOSTILE, lastName: 'نور' }
  student = (await owner.post('/students', person)).body.id
  await owner.patch(`/students/${student}`, { branchId, phone: '+972501112233', birthDate: '2015-03-04' })
  await owner.patch('/me', { fullName: HOSTILE })
})
afterAll(() => app.close())

const fileOf = async (locale: Locale, query: string): Promise<Buffer> => {
  const reply = await fetch(`${app.url}/api/v1/audit?${query}`, {
    headers: { authorization: `Bearer ${institute.owner.credential}`, 'accept-language': locale },
  })
  expect(reply.status).toBe(200)
  return Buffer.from(await reply.arrayBuffer())
}
/** The rows below the heads. */
const rowsOf = async (locale: Locale, query = ''): Promise<string[][]> =>
  readCsv(await fileOf(locale, `format=csv${query}`))
    .slice(1)
    .map((row) => row.map((cell) => cell ?? ''))
const entries = async () => (await institute.owner.get('/audit?limit=100')).body.data
const plain = (text: string) => text.replaceAll(/[\u2066-\u2069]/g, '')

describe('the file of the history', () => {
  test.each(LOCALES)(
    'tells each entry in %s as its page does, and has the code of the act at the end',
    async (locale) => {
      const told = await entries()
      const members = (await institute.owner.get('/members')).body.data as {
        userId: string
        fullName: string
        email: string
      }[]
      const branches = (await institute.owner.get('/branches')).body as { id: string; name: string }[]
      const accounts = new Map(members.map(({ userId, fullName, email }) => [userId, fullName || email]))
      const telling: Telling = {
        words: AUDIT_WORDS[locale],
        format: new Written(locale, 'Asia/Jerusalem'),
        accounts,
        names: new Map([...accounts, ...branches.map(({ id, name }) => [id, name] as const)]),
        currency: 'ILS',
      }
      const rows = await rowsOf(locale)
      expect(rows.length).toBeGreaterThanOrEqual(told.length)
      const known = new Set(rows.map(([, , sentence, , , , action]) => `${sentence} ${action}`))
      for (const entry of told) expect(known).toContain(`${sentenceOf(entry, telling)} ${entry.action}`)
      const change = told.find(({ action }: { action: string }) => action === 'students.update')
      expect(changesIn(change, telling).join()).toContain(BRANCH)
    },
  )

  test('has when, who, what happened, the record, and what was there before and is since', async () => {
    const query = `entityId=${student}&action=students.update`
    const [heads, ...rows] = readCsv(await fileOf('en', `format=csv&${query}`))
    expect(heads).toEqual(['When', 'Who', 'What happened', 'Record', 'Before', 'After', 'Code'])
    expect(rows).toHaveLength(1)
    const cells = rows[0]?.map((cell) => plain(cell ?? '')) ?? []
    expect(cells[1]).toBe(`'${HOSTILE}`)
    expect(cells[2]).toBe(`${HOSTILE} changed a student: ${HOSTILE} نور.`)
    expect(cells[3]).toBe(`a student: ${HOSTILE} نور`)
    expect(cells[4]).toContain('date of birth: nothing')
    expect(cells[5]).toContain('date of birth: 04/03/2015')
    expect(cells[5]).toContain(`branch: ${BRANCH}`)
    expect(cells[5]).toContain('phone: 050-111-2233')
    expect(cells[6]).toBe('students.update')
    expect(cells[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/)
  })

  test('keeps each name in one piece, whatever way the sentence runs', async () => {
    const [row] = await rowsOf('ar', `&entityId=${student}&action=students.update`)
    const [, , sentence, , , after] = row ?? []
    expect(sentence).toContain(`\u2068${HOSTILE} نور\u2069`)
    expect(after).toContain(`\u2068${BRANCH}\u2069`)
  })

  test('has no cell that a spreadsheet computes', async () => {
    const rows = await rowsOf('en')
    expect(rows.map(([, who]) => who)).toContain(`'${HOSTILE}`)
    for (const cell of rows.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
  })

  test('is a workbook too', async () => {
    const sheet = (await unzip(await fileOf('he', 'format=xlsx'))).get('xl/worksheets/sheet1.xml')?.toString() ?? ''
    expect(sheet).toContain('מה קרה')
    expect(sheet).not.toContain('<f>')
  })
})
