import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givesFile, columnsOf, type Value } from '#http/list-files/columns.ts'
import { headOf } from '#http/list-files/heads/index.ts'
import { wordsFor, yesOrNo } from '#http/list-files/words/index.ts'
import { read } from '#kernel/contract/endpoint.ts'
import { LOCALES } from '#shared/locale.ts'
import type { Module } from '#kernel/contract/module.ts'
import { pageOf, pageQuery } from '#kernel/values/schema.ts'
import { readCsv, unzip } from '#kit/archive.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { worldOf } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newGroup } from '../examples/academics.ts'
import { issuedInvoice } from '../examples/billing.ts'
import type { FieldType } from '../../../src/modules/imports/field.ts'
import { valueIn } from '../../../src/modules/imports/values.ts'
import { RELATIONSHIPS, STUDENT_STATUSES } from '../../../src/modules/people/tables.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

/** How many pages of the long list were read, and what happens while the second one is. */
let asked = 0
let atSecondPage: () => Promise<void>
const longList: Module = {
  name: 'long',
  endpoints: [
    read({
      id: 'long.list',
      path: '/long-list',
      summary: 'List something that has no end',
      access: 'students.read',
      query: pageQuery({}),
      reply: pageOf(v.object({ number: v.number() })),
      handle: async ({ cursors }) => {
        asked += 1
        if (asked === 2) await atSecondPage()
        return { data: [{ number: asked }], nextCursor: cursors.encode([asked]) }
      },
    }),
  ],
}

/** More than two pages. */
const STUDENTS = 205
const HOSTILE = '=1+"1"'

const fileOf = async (client: Client, path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${app.url}/api/v1${path}`, { headers: { authorization: `Bearer ${client.credential}`, ...headers } })

const csvOf = async (client: Client, path: string, headers?: Record<string, string>) => {
  const response = await fileOf(client, path, headers)
  expect(response.status).toBe(200)
  return readCsv(Buffer.from(await response.arrayBuffer()))
}

beforeAll(async () => {
  app = await startApp({ modules: [longList] })
  institute = await makeInstitute(app)
  owner = institute.owner
  for (let at = 0; at < STUDENTS; at += 1) {
    const lastName = [HOSTILE, 'Cohen'][at] ?? `Levi ${at}`
    await owner.post('/students', { branchId: institute.branchId, firstName: 'Dana', lastName })
  }
})
afterAll(() => app.close())

describe('a list as CSV', () => {
  test('holds every record once, as the pages have them', async () => {
    const [heads = [], ...rows] = await csvOf(owner, '/students?format=csv')
    expect(heads.slice(0, 3)).toEqual(['Student number', 'First name', 'Last name'])
    const pages = []
    for (let cursor = ''; ;) {
      const { body } = await owner.get(`/students?limit=100${cursor}`)
      pages.push(...body.data)
      if (body.nextCursor === null) break
      cursor = `&cursor=${body.nextCursor}`
    }
    const at = heads.indexOf('ID')
    expect(rows.map((row) => row[at])).toEqual(pages.map(({ id }) => id))
    expect(rows).toHaveLength(STUDENTS)
    expect(rows.every((row) => row.length === heads.length)).toBe(true)
    // No cell is a formula.
    expect(rows.at(-1)?.[2]).toBe(`'${HOSTILE}`)
  })

  test('is saved under the name of the list and the day', async () => {
    const response = await fileOf(owner, '/students?format=csv')
    await response.body?.cancel()
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const today = app.clock.now().slice(0, 10)
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename=students-${today}.csv`)
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test.each([
    ['ar', '/students', 'طلاب', 'students'],
    ['he', '/invoices', 'דרישות תשלום', 'invoices'],
    ['ar', '/auth/sessions', 'sessions', undefined],
    ['ar', '/roles', 'أدوار', 'roles'],
  ])('has its name in %s too: of %s', async (language, path, title, plain) => {
    const response = await fileOf(owner, `${path}?format=csv`, { 'accept-language': language })
    await response.body?.cancel()
    const today = app.clock.now().slice(0, 10)
    const whole = encodeURIComponent(`${title}-${today}.csv`)
    expect(response.headers.get('content-disposition')).toBe(
      plain === undefined
        ? `attachment; filename=${title}-${today}.csv`
        : `attachment; filename=${plain}-${today}.csv; filename*=UTF-8''${whole}`,
    )
  })

  test('has the filters of the list, and heads in the language that is asked for', async () => {
    const [heads, ...rows] = await csvOf(owner, '/students?format=csv&q=Cohen', { 'accept-language': 'he' })
    expect(heads?.slice(0, 3)).toEqual(['מספר תלמיד', 'שם פרטי', 'שם משפחה'])
    expect(rows.map((row) => row[2])).toEqual(['Cohen'])
  })

  test('is what the header Accept asks for, unless the address says otherwise', async () => {
    const typeOf = async (path: string, accept: string) => {
      const response = await fileOf(owner, path, { accept })
      await response.body?.cancel()
      return response.headers.get('content-type')?.split(';')[0]
    }
    expect(await typeOf('/students', 'text/csv')).toBe('text/csv')
    expect(await typeOf('/students', 'text/csv;q=0.5, application/json')).toBe('application/json')
    expect(await typeOf('/students', '*/*')).toBe('application/json')
    expect(await typeOf('/students', 'text/html')).toBe('application/json')
    expect(await typeOf('/students?format=json', 'text/csv')).toBe('application/json')
    // What is no list is answered as always.
    expect(await typeOf('/auth/me', 'text/csv')).toBe('application/json')
  })

  test('tells HEAD what it would be', async () => {
    const { status, headers, body } = await owner.send('HEAD', '/students?format=xlsx')
    expect([status, body]).toEqual([200, undefined])
    expect(headers.get('content-disposition')).toMatch(/students-.*\.xlsx/)
  })

  test.each([
    ['format=pdf', ['format'], 'Must be json, csv or xlsx.'],
    ['format=csv&limit=5', ['limit'], 'A file holds the whole list: leave this out.'],
    ['format=csv&cursor=x', ['cursor'], 'A file holds the whole list: leave this out.'],
  ])('refuses %s', async (query, path, message) => {
    const { status, body } = await owner.get(`/students?${query}`)
    expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
    expect(body.error.details.issues).toEqual([{ path, message }])
  })

  test('holds what the caller reaches, and nothing for whoever may not read the list', async () => {
    const { body: north } = await owner.post('/branches', { name: 'North' })
    const manager = await institute.member({ role: 'branch_manager', branchId: north.id })
    const [, ...rows] = await csvOf(manager, '/students?format=csv')
    expect(rows).toEqual([])
    const teacher = await institute.member({ role: 'teacher' })
    const { status, body } = await teacher.get('/invoices?format=csv')
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN'])
  })

  test('breaks off for whoever loses the right to it on the way', async () => {
    const clerk = await institute.member({ role: 'branch_manager' })
    atSecondPage = async () => {
      await owner.patch(`/members/${clerk.membershipId}`, { status: 'disabled' })
    }
    const response = await fileOf(clerk, '/long-list?format=csv')
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
    expect(asked).toBe(2)
  })
})

describe('a list as XLSX', () => {
  test('is a sheet of text, numbers and dates, from right to left where the heads are', async () => {
    const response = await fileOf(owner, '/students?format=xlsx', { 'accept-language': 'ar' })
    const parts = await unzip(Buffer.from(await response.arrayBuffer()))
    const sheet = parts.get('xl/worksheets/sheet1.xml')?.toString() ?? ''
    expect(sheet).toContain('rightToLeft="1"')
    expect(sheet.match(/<row r=/g)).toHaveLength(STUDENTS + 1)
    expect(sheet).toContain('=1+&quot;1&quot;')
    expect(sheet).not.toContain('<f>')
    expect(parts.get('xl/workbook.xml')?.toString()).toContain('name="طلاب"')
  })
})

describe('a list in words', () => {
  const inHebrew = { 'accept-language': 'he' }
  const cellsBy = async (client: Client, path: string, headers?: Record<string, string>) => {
    const [heads = [], ...rows] = await csvOf(client, path, headers)
    return rows.map((row) => Object.fromEntries(heads.map((head, at) => [head, row[at]])))
  }

  const isJson = (cell: string | null | undefined): boolean => {
    try {
      return /^[[{]/.test(cell ?? '') && typeof JSON.parse(cell ?? '') === 'object'
    } catch {
      return false
    }
  }

  test('says what is paid, by whom and for whom, and no code or JSON', async () => {
    const world = worldOf(app, institute)
    const { body: student } = await owner.post('/students', {
      branchId: institute.branchId,
      firstName: 'Salma',
      lastName: 'Haddad',
    })
    const invoice = await issuedInvoice(world, { studentId: student.id })
    const allocations = [{ invoiceId: invoice.id, amountMinor: 45_000 }]
    await owner.post('/payments', { allocations, currency: 'ILS', method: 'bank_transfer' })
    const [receipt] = await cellsBy(owner, '/receipts?format=csv', inHebrew)
    expect(receipt).toMatchObject({
      תלמידים: 'Salma Haddad',
      'אמצעי תשלום': 'העברה',
      תשלומים: `${invoice.number} 450.00 העברה`,
      סכום: '450.00',
    })
    const [payment] = await cellsBy(owner, '/payments?format=csv', inHebrew)
    expect(payment).toMatchObject({ 'דרישת תשלום': invoice.number, 'אמצעי תשלום': 'העברה' })
  })

  test('names those whose ids it has alone, as far as the caller may read them', async () => {
    const world = worldOf(app, institute)
    const groupId = await newGroup(world, { name: 'Chess' })
    const { body: student } = await owner.post('/students', {
      branchId: institute.branchId,
      firstName: 'Omar',
      lastName: 'Saleh',
      status: 'active',
    })
    await owner.post('/enrollments', { studentId: student.id, groupId })
    const path = `/enrollments?format=csv&studentId=${student.id}`
    const named = { Student: 'Omar Saleh', Group: 'Chess', Status: 'Active', 'ID: Student': student.id }
    expect(await cellsBy(owner, path)).toEqual([expect.objectContaining(named)])
    const stranger = await institute.member({ permissions: ['enrollments.read'] })
    expect(await cellsBy(stranger, path)).toEqual([expect.objectContaining({ ...named, Student: null, Group: null })])
    const [first] = await cellsBy(owner, '/students?format=csv&q=Saleh')
    expect(first).toMatchObject({ Branch: 'Main', Status: 'Registered' })
  })

  test('has JSON in no cell of any list', async () => {
    await owner.patch('/settings', { registration: { enabled: true } })
    const lists = app.app.endpoints.filter(
      (one) => givesFile(one) && !one.path.includes('{') && one.access !== 'platform' && !one.path.includes('long'),
    )
    expect(lists.length).toBeGreaterThan(20)
    for (const { path, id } of lists) {
      const response = await fileOf(owner, `${path}?format=csv`)
      if (response.status !== 200) {
        await response.body?.cancel()
        continue
      }
      const rows = readCsv(Buffer.from(await response.arrayBuffer()))
      expect.soft(rows.flat().filter(isJson), id).toEqual([])
    }
  })
})

test('every code in a list has words in each language', () => {
  const choicesIn = (values: readonly Value[]): Value[] =>
    values.flatMap((value) => [
      value,
      ...choicesIn([...(value.parts ?? []), ...(value.element ? [value.element] : [])]),
    ])
  const choices = app.app.endpoints
    .filter(givesFile)
    .flatMap(({ reply }) => choicesIn(columnsOf(reply as v.GenericSchema)))
    .filter(({ codes }) => codes)
  expect(choices.length).toBeGreaterThan(60)
  for (const { field, codes = [], choice } of choices)
    for (const code of codes)
      for (const locale of LOCALES)
        expect.soft(wordsFor(field, code, locale, choice), `${field}: ${code}`).toBeDefined()
})

test('an import reads the words of a list as they stand in its file', () => {
  const place = { timezone: 'Asia/Jerusalem', today: '2026-07-01', currency: 'ILS' }
  const readBack = (field: string, type: FieldType, codes: readonly string[]) =>
    LOCALES.flatMap((locale) => codes.map((code) => valueIn(type, String(wordsFor(field, code, locale)), place, 'day')))
  const thrice = <T>(all: readonly T[]): T[] => LOCALES.flatMap(() => [...all])
  expect(readBack('status', 'studentStatus', STUDENT_STATUSES)).toEqual(thrice(STUDENT_STATUSES))
  expect(readBack('relationship', 'relationship', RELATIONSHIPS)).toEqual(thrice(RELATIONSHIPS))
  for (const locale of LOCALES)
    for (const value of [true, false]) expect(valueIn('yesNo', yesOrNo(value, locale), place, 'day')).toBe(value)
})

test('every list has heads in each language, of which no two are the same', () => {
  const lists = app.app.endpoints.filter(givesFile)
  expect(lists.length).toBeGreaterThan(45)
  for (const { id, reply } of lists) {
    for (const locale of LOCALES) {
      const heads = columnsOf(reply as v.GenericSchema).map(({ path }) => headOf(path, locale))
      expect.soft(heads, id).not.toContain('')
      expect.soft(new Set(heads).size, `${id} in ${locale}: ${heads.join(' | ')}`).toBe(heads.length)
    }
  }
})

describe('the audit log', () => {
  const entries = async () =>
    (await owner.get('/audit?entityType=list&limit=100')).body.data.map(
      ({ action, entityId, actorUserId, metadata }: Record<string, unknown>) => ({
        action,
        entityId,
        actorUserId,
        metadata,
      }),
    )

  test('says who took which list, with the filters, once for each file', async () => {
    const before = await entries()
    await csvOf(owner, '/students?format=csv&status=lead&q=Cohen')
    await fileOf(owner, '/students?format=xlsx').then((response) => response.arrayBuffer())
    const { body } = await owner.get('/students?limit=1')
    await csvOf(owner, `/students/${body.data[0].id}/guardians`, { accept: 'text/csv' })
    const actorUserId = institute.ownerUserId
    expect((await entries()).slice(0, -before.length || undefined).toReversed()).toEqual([
      {
        action: 'students.list',
        entityId: null,
        actorUserId,
        metadata: { format: 'csv', filters: { status: 'lead', q: 'Cohen' }, records: 1 },
      },
      { action: 'students.list', entityId: null, actorUserId, metadata: { format: 'xlsx', filters: {} } },
      {
        action: expect.stringMatching(/./),
        entityId: body.data[0].id,
        actorUserId,
        metadata: { format: 'csv', filters: {}, records: 0 },
      },
    ])
  })

  test('has nothing of pages, of refusals and of requests for the head alone', async () => {
    const before = await entries()
    await owner.get('/students?limit=100')
    expect((await fileOf(owner, '/students?format=csv&limit=3')).status).toBe(422)
    const stranger = await institute.member({ permissions: ['courses.read'] })
    expect((await fileOf(stranger, '/students?format=csv')).status).toBe(403)
    const authorization = `Bearer ${owner.credential}`
    await fetch(`${app.url}/api/v1/students?format=csv`, { method: 'HEAD', headers: { authorization } })
    expect(await entries()).toEqual(before)
  })
})
