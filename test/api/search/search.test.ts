import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client
let categoryId: string

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  owner = institute.owner
  categoryId = await create('/course-categories', { name: 'Languages', slug: 'languages' })
})
afterAll(() => app.close())

const create = async (path: string, body: object, client: Client = owner): Promise<string> => {
  const reply = await client.post(path, body)
  expect(reply.status, JSON.stringify(reply.body)).toBe(201)
  return reply.body.id
}
const student = (firstName: string, lastName: string, more: object = {}) =>
  create('/students', { branchId: institute.branchId, firstName, lastName, ...more })

const search = async (q: string, { client = owner, limit = 5 }: { client?: Client; limit?: number } = {}) => {
  const { status, body } = await client.get(`/search?q=${encodeURIComponent(q)}&limit=${limit}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as {
    query: string
    results: { type: string; id: string; label: string; sublabel: string | null }[]
    truncatedTypes: string[]
  }
}
const labels = async (q: string, limit?: number) =>
  (await search(q, limit === undefined ? {} : { limit })).results.map(({ label }) => label)

test('finds all six types, in their order, each as a person would read it', async () => {
  const studentId = await student('Zohar', 'Quill')
  const { studentNumber } = (await owner.get(`/students/${studentId}`)).body
  const guardianId = await create('/guardians', { firstName: 'Rina', lastName: 'Quill', phone: '050-123-9876' })
  const staffId = await create('/staff', {
    branchId: institute.branchId,
    firstName: 'Uri',
    lastName: 'Quill',
    title: 'Teacher',
  })
  const courseId = await create('/courses', { categoryId, name: 'Quill Writing', code: 'QW1' })
  const groupId = await create('/groups', { courseId, branchId: institute.branchId, name: 'Quill A' })
  expect(await search('quill')).toEqual({
    query: 'quill',
    results: [
      { type: 'student', id: studentId, label: 'Zohar Quill', sublabel: studentNumber },
      { type: 'guardian', id: guardianId, label: 'Rina Quill', sublabel: '+972501239876' },
      { type: 'staff', id: staffId, label: 'Uri Quill', sublabel: 'Teacher' },
      { type: 'group', id: groupId, label: 'Quill A', sublabel: 'Quill Writing' },
      { type: 'course', id: courseId, label: 'Quill Writing', sublabel: 'QW1' },
    ],
    truncatedTypes: [],
  })
  const line = { description: 'March', unitAmountMinor: 100 }
  const invoiceId = await create('/invoices', { studentId, lines: [line], dueDate: '2026-04-01' })
  const { number } = (await owner.get(`/invoices/${invoiceId}`)).body
  const invoice = { type: 'invoice', id: invoiceId, label: number, sublabel: 'Zohar Quill' }
  for (const q of [
    number,
    number.toLowerCase(),
    number.slice(0, 12),
    number.slice(4),
    String(Number(number.slice(9))).padStart(2, '0'),
  ]) {
    expect((await search(q)).results).toContainEqual(invoice)
  }
  expect((await search('QW1')).results.map(({ id }) => id)).toEqual([courseId])
  const post = async (path: string, body: object) => (await owner.post(path, body)).body
  await post(`/invoices/${invoiceId}/issue`, {})
  const paid = { currency: 'ILS', method: 'cash', paidBy: { studentId }, amountMinor: 150 }
  const receipt = await post('/payments', { ...paid, allocations: [{ invoiceId, amountMinor: 100 }] })
  const note = await post(`/invoices/${invoiceId}/credit-notes`, { amountMinor: 10, reason: 'Came late' })
  const refund = await post('/refunds', { studentId, amountMinor: 20, method: 'cash', reason: 'Moves' })
  for (const [type, paper] of [
    ['receipt', receipt],
    ['credit_note', note],
    ['refund', refund],
  ] as const) {
    const found = { type, id: paper.id, label: paper.number, sublabel: 'Zohar Quill' }
    for (const q of [paper.number, paper.number.toLowerCase(), paper.number.slice(-6)]) {
      expect((await search(q)).results, q).toContainEqual(found)
    }
    // A whole number is nothing else.
    expect((await search(paper.number)).results).toEqual([found])
  }
  const only = async (path: string) => (await owner.get(path)).body.data.map(({ id }: { id: string }) => id)
  expect(await only(`/credit-notes?number=${note.number}`)).toEqual([note.id])
  expect(await only(`/refunds?number=RF-2026-999999`)).toEqual([])
})

describe('people are found', () => {
  test('by name, number, phone and email', async () => {
    const id = await student('Noga', 'Barak', { phone: '050-777 1234', email: 'noga.barak@example.org' })
    const { studentNumber } = (await owner.get(`/students/${id}`)).body
    for (const q of ['Barak Noga', studentNumber, '0507771234', '+972 50-777-1234', 'noga.barak@']) {
      expect(
        (await search(q)).results.map((one) => one.id),
        q,
      ).toEqual([id])
    }
  })

  test.each([
    ['إيمان', 'الأحمد', ['ايمان', 'الاحمد', 'أيمان', 'إِيمَان']],
    ['Zoë', 'Müller', ['zoe', 'MULLER', 'Zoë müller']],
    ['שָׂרָה', 'כהן', ['שרה', 'כהן שרה', 'כהנ']],
  ])('however %s %s is spelled', async (firstName, lastName, spellings) => {
    const id = await student(firstName, lastName)
    for (const q of spellings)
      expect(
        (await search(q)).results.map((one) => one.id),
        q,
      ).toContain(id)
  })
})

test('what is exactly what was typed comes first, then what begins with it, then what has its words', async () => {
  await student('Lior', 'Ana')
  await student('Ana', 'Zeta')
  await student('Anabel', 'Zeta')
  await student('Hanania', 'Zeta')
  const names = await labels('ana', 10)
  expect(names.slice(0, 2).toSorted()).toEqual(['Ana Zeta', 'Lior Ana'])
  expect(names.slice(2)).toEqual(['Anabel Zeta', 'Hanania Zeta'])
})

test('at most `limit` of each type come, and the types of which there are more are named', async () => {
  for (let n = 0; n < 6; n += 1) await student('Ofek', `Number ${n}`)
  const five = await search('ofek')
  expect([five.results.length, five.truncatedTypes]).toEqual([5, ['student']])
  const six = await search('ofek', { limit: 6 })
  expect([six.results.length, six.truncatedTypes]).toEqual([6, []])
})

test('each type needs its own permission, and is found within its reach', async () => {
  const south = await create('/branches', { name: 'South' })
  const here = await student('Tsafrir', 'North')
  const there = await create('/students', { branchId: south, firstName: 'Tsafrir', lastName: 'South' })
  await create('/courses', { categoryId, name: 'Tsafrir' })
  const teacher = await institute.member({ role: 'teacher' })
  const types = async (client: Client) =>
    (await search('tsafrir', { client })).results.map(({ type, id }) => `${type} ${id}`)
  expect(await types(await institute.member({ permissions: ['courses.read'] }))).toEqual([
    expect.stringMatching(/^course /),
  ])
  expect(await types(await institute.member({ permissions: ['students.write'] }))).toEqual([
    `student ${there}`,
    `student ${here}`,
  ])
  expect(await types(await institute.member({ permissions: ['students.read'], branchId: south }))).toEqual([
    `student ${there}`,
  ])
  expect(await types(teacher)).toEqual([])
  expect(await types(await institute.member({ role: 'guardian' }))).toEqual([])
})

test.each([
  ['', 422],
  ['a', 422],
  [' a ', 422],
  ['x'.repeat(101), 422],
  ['ab', 200],
  ['x'.repeat(100), 200],
  ['--', 200],
  ['%_', 200],
  ['" OR 1=1', 200],
  ['* NEAR(', 200],
  ["'; drop table student; --", 200],
  ['\u200f\u200f', 200],
  ['ًٌٍ', 200],
  ['𝔇𝔞𝔫𝔞 👩‍👧', 200],
  ['a\u0000b', 422],
])('q %j is %i', async (q, status) => {
  expect((await owner.get(`/search?q=${encodeURIComponent(q)}`)).status).toBe(status)
})

test.each([
  ['0', 422],
  ['11', 422],
  ['x', 422],
  ['10', 200],
])('limit %s is %i', async (limit, status) => {
  expect((await owner.get(`/search?q=dana&limit=${limit}`)).status).toBe(status)
})
