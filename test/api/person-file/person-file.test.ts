import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KEPT, type PersonKind } from '#app/person-file/kept.ts'
import { pathOfFile } from '#app/export/names.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { jsonIn, unzip, type Entries } from '#kit/archive.ts'
import type { Client } from '#kit/client.ts'
import { declaredColumns } from '#kit/declared-columns.ts'
import { worldOf } from '#kit/examples.ts'
import { png, uploaded } from '#kit/files.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newPhone } from '../examples/people.ts'
import { newGroup } from '../examples/sessions.ts'
import { LEFT_OUT } from './left-out.ts'

/** In what is kept of others, and so in no file of the family. */
const OF_OTHERS = 'planted-others'

interface Family {
  studentId: string
  guardianId: string
  fileId: string
  groupId: string
}

let app: TestApp
let school: TestInstitute
let family: Family

const bytesFrom = async (who: Client, path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${app.url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${who.credential}`, ...headers },
  })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

const dataOf = async (kind: PersonKind, id: string, locale = 'en'): Promise<Entries> => {
  const { response, bytes } = await bytesFrom(school.owner, `/${kind}s/${id}/data`, { 'accept-language': locale })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  return unzip(bytes)
}

/** A family with something of each kind; `word` stands in all that people wrote of it. */
const makeFamily = async (word: string, phone: string): Promise<Family> => {
  const { owner, branchId } = school
  const world = worldOf(app, school)
  const made = async (path: string, body: object): Promise<string> => {
    const reply = await owner.post(path, body)
    expect(reply.status, `${path} ${JSON.stringify(reply.body)}`).toBe(201)
    return reply.body.id
  }
  const studentId = await made('/students', {
    branchId,
    firstName: `${word}-<b>`,
    lastName: 'Levi',
    notes: `${word}-note of staff`,
    tags: [`${word}-tag`],
  })
  const guardianId = await made('/guardians', {
    firstName: `${word}-parent`,
    lastName: 'Levi',
    phone,
    email: `${word}@example.org`,
  })
  const link = { guardianId, relationship: 'mother', isPrimary: true, isPayer: true }
  expect((await owner.post(`/students/${studentId}/guardians`, link)).status).toBe(201)
  const groupId = await newGroup(world, {})
  await made('/enrollments', { studentId, groupId })
  const invoiceId = await made('/invoices', {
    studentId,
    dueDate: '2030-01-31',
    lines: [{ description: `${word}-line`, unitAmountMinor: 12_345 }],
  })
  expect((await owner.post(`/invoices/${invoiceId}/issue`)).status).toBe(200)
  await made(`/invoices/${invoiceId}/payments`, {
    amountMinor: 2345,
    currency: 'ILS',
    method: 'cash',
    reference: `${word}-reference`,
  })
  const attached = { originalName: `${word}.png`, entityType: 'student', entityId: studentId, bytes: png(word) }
  const file = await uploaded(app, owner, attached)
  return { studentId, guardianId, fileId: file.body.id, groupId }
}

beforeAll(async () => {
  app = await startApp()
  school = await makeInstitute(app)
  family = await makeFamily('planted-own', newPhone())
  await makeFamily(OF_OTHERS, newPhone())
})
afterAll(() => app.close())

describe('the file of a student', () => {
  test('has each record of theirs, what staff noted and the bytes of their files', async () => {
    const { studentId, fileId } = family
    const entries = await dataOf('student', studentId)
    const path = pathOfFile(fileId, 'planted-own.png')
    expect([...entries.keys()]).toEqual(['data.html', 'data.json', path])
    expect(entries.get(path)).toEqual(png('planted-own'))
    const { tables, missingFiles } = jsonIn(entries, 'data.json')
    expect(missingFiles).toEqual([])
    expect(tables.student).toMatchObject([
      { id: studentId, notes: 'planted-own-note of staff', tags: ['planted-own-tag'] },
    ])
    expect(tables.guardian_link).toMatchObject([{ guardian_name: 'planted-own-parent Levi', relationship: 'mother' }])
    expect(tables.enrollment).toMatchObject([{ student_id: studentId, group_name: expect.any(String) }])
    expect(tables.invoice).toMatchObject([{ total_minor: 12_345 }])
    expect(tables.invoice_line).toMatchObject([{ description: 'planted-own-line' }])
    expect(tables.payment).toMatchObject([{ amount_minor: 2345, reference: 'planted-own-reference' }])
    expect(tables.audit_entry.map(({ action }: { action: string }) => action)).toContain('students.create')
  })

  test('has nothing of another family, and of the guardian only the name', async () => {
    const { studentId } = family
    for (const [path, bytes] of await dataOf('student', studentId)) {
      expect(bytes.toString(), path).not.toContain(OF_OTHERS)
      expect(bytes.toString(), path).not.toContain('planted-own@example.org')
    }
  })

  test.each([
    ['ar', 'rtl', 'الطالب'],
    ['he', 'rtl', 'התלמיד/ה'],
    ['en', 'ltr', 'The student'],
  ])('says it in %s, with names as text', async (locale, direction, title) => {
    const page = String((await dataOf('student', family.studentId, locale)).get('data.html'))
    expect(page).toContain(`<html lang="${locale}" dir="${direction}">`)
    expect(page).toContain(`<h2>${title}</h2>`)
    expect(page).toContain('planted-own-&lt;b&gt;')
    expect(page).not.toContain('<b>')
    expect(page).toContain('123.45')
  })

  test('comes in parts as in one piece, and says what is missing of it', async () => {
    const path = `/students/${family.studentId}/data`
    const whole = await bytesFrom(school.owner, path)
    const part = await bytesFrom(school.owner, path, { range: 'bytes=2-9' })
    expect([part.response.status, part.bytes]).toEqual([206, whole.bytes.subarray(2, 10)])
    const { length } = whole.bytes
    expect(whole.response.headers.get('content-length')).toBe(String(length))
  })
})

describe('the file of a guardian', () => {
  test('has what they pay with its papers, and of their children the names', async () => {
    const entries = await dataOf('guardian', family.guardianId)
    const { tables } = jsonIn(entries, 'data.json')
    expect(tables.guardian).toMatchObject([{ email: 'planted-own@example.org' }])
    expect(tables.guardian_link).toMatchObject([{ student_name: 'planted-own-<b> Levi' }])
    expect(tables.invoice).toMatchObject([{ total_minor: 12_345, kept: expect.anything() }])
    expect(tables.receipt).toHaveLength(1)
    for (const [path, bytes] of entries) {
      expect(bytes.toString(), path).not.toContain(OF_OTHERS)
      expect(bytes.toString(), path).not.toContain('planted-own-note of staff')
    }
  })
})

test('only the owner gets it, of this institute alone, and the audit log says so', async () => {
  const { studentId, guardianId } = family
  const admin = await school.member({ role: 'admin' })
  const elsewhere = await makeInstitute(app)
  for (const path of [`/students/${studentId}/data`, `/guardians/${guardianId}/data`]) {
    expect((await admin.get(path)).status, path).toBe(403)
    expect((await elsewhere.owner.get(path)).status, path).toBe(404)
  }
  const before = (await school.owner.get('/audit?action=guardians.data')).body.data.length
  await dataOf('guardian', guardianId)
  const { data } = (await school.owner.get('/audit?action=guardians.data')).body
  expect(data).toHaveLength(before + 1)
  expect(data[0]).toMatchObject({ entityId: guardianId, actorUserId: school.ownerUserId, metadata: { format: 'zip' } })
})

describe('the list of what is kept', () => {
  const tablesOf = (kind: PersonKind) => KEPT[kind].map(({ table }) => table as string)
  const kept = new Set([...tablesOf('student'), ...tablesOf('guardian')])

  test('has every table of an institute, or the reason why not', () => {
    const leftOut = Object.values(LEFT_OUT).flat()
    const declared = [...declaredColumns()].filter(([, columns]) => columns.includes('tenant_id')).map(([name]) => name)
    expect(
      declared.filter((name) => !kept.has(name) && !leftOut.includes(name)),
      'neither kept nor left out',
    ).toEqual([])
    expect(
      leftOut.filter((name) => kept.has(name) || !declared.includes(name)),
      'a reason that is no longer needed',
    ).toEqual([])
  })

  test('has every column by which a module names a student or a guardian', () => {
    const named = app.app.modules.flatMap(({ persons = [] }) => persons)
    const missing = named.filter(
      ({ of, table, column }) => !KEPT[of].some((one) => one.table === table && one.column === column),
    )
    expect(missing).toEqual([])
  })

  test('names only columns that there are', () => {
    const columns = declaredColumns()
    const names = new Set([
      'group_name',
      'course_name',
      'exam_title',
      'session_start',
      'invoice_number',
      'guardian_name',
      'student_name',
    ])
    for (const { table, column, without = [], shown = {} } of Object.values(KEPT).flat()) {
      const there = columns.get(table) ?? []
      for (const name of [column, ...without, ...Object.keys(shown)]) {
        expect(there.includes(name) || names.has(name), `${table}.${name}`).toBe(true)
      }
    }
  })
})

test('of somebody who was merged there is the one into whom they were', async () => {
  const { owner, branchId } = school
  const made = async (path: string, body: object): Promise<string> => (await owner.post(path, body)).body.id
  const [student, twin] = [
    await made('/students', { branchId, firstName: 'Dana', lastName: 'Levi' }),
    await made('/students', { branchId, firstName: 'Dana', lastName: 'Lévi' }),
  ]
  const [guardian, double] = [
    await made('/guardians', { firstName: 'Rina', lastName: 'Levi', phone: newPhone() }),
    await made('/guardians', { firstName: 'Rina', lastName: 'Lévi', phone: newPhone() }),
  ]
  expect((await owner.post(`/students/${student}/merge`, { otherId: twin })).status).toBe(200)
  expect((await owner.post(`/guardians/${guardian}/merge`, { otherId: double })).status).toBe(200)
  for (const path of [`/students/${twin}/data`, `/guardians/${double}/data`])
    expect((await owner.get(path)).body).toMatchObject({ error: { details: { reason: 'merged' } } })
})
