import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { linkAccount } from '#kit/link-account.ts'
import { newPhone } from '../examples/people.ts'
import { newGroup } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

const made = async (path: string, body: object) => {
  const reply = await institute.owner.post(path, body)
  expect(reply.status, JSON.stringify(reply.body)).toBe(201)
  return reply.body
}

const student = (firstName: string, lastName: string, more: object = {}) =>
  made('/students', { firstName, lastName, branchId: institute.branchId, ...more })

const guardian = async (studentId: string, firstName: string, marks: object) => {
  const { id, phone } = await made('/guardians', { firstName, lastName: 'Nasser', phone: newPhone() })
  await made(`/students/${studentId}/guardians`, {
    guardianId: id,
    relationship: 'mother',
    isPrimary: false,
    isPayer: false,
    ...marks,
  })
  return { id, phone }
}

const owes = async (studentId: string, unitMinor: number) => {
  const { id } = await made('/invoices', {
    studentId,
    lines: [{ description: 'Lessons', quantity: 1, unitAmountMinor: unitMinor }],
  })
  expect((await institute.owner.post(`/invoices/${id}/issue`)).status).toBe(200)
}

const list = async (path: string, caller: Pick<TestInstitute['owner'], 'get'> = institute.owner) => {
  const { status, body } = await caller.get(path)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}
const names = (people: { fullName: string }[]) => people.map(({ fullName }) => fullName)

describe('the directory', () => {
  test('names in Arabic script stand as they are written, wherever those of four parts were cut in two', async () => {
    for (const [first, last] of [
      ['محمد', 'أحمد علي حداد'],
      ['أحمد محمود', 'سالم حداد'],
      ['عبدالرحمن', 'يوسف'],
      ['عبد الرحمن', 'خالد زيد'],
      ['إبراهيم', 'نصّار'],
      ['משה', 'בן ציון'],
      ['דנה', 'בנציון'],
    ] as const) {
      await student(first, last, { tags: ['written'] })
    }
    const path = '/directory/students?tag=written'
    expect(names(await list(path))).toEqual([
      'דנה בנציון',
      'משה בן ציון',
      'إبراهيم نصّار',
      'أحمد محمود سالم حداد',
      'عبد الرحمن خالد زيد',
      'عبدالرحمن يوسف',
      'محمد أحمد علي حداد',
    ])
  })

  test('students stand in the order of family names, then of first names, in any spelling of a letter', async () => {
    for (const [first, last] of [
      ['Zain', 'Éclair'],
      ['Amal', 'eclair'],
      ['رنا', 'أحمد'],
      ['سامي', 'احمد'],
      ['Basil', 'Abbas'],
    ] as const) {
      await student(first, last, { tags: ['sorted'] })
    }
    const path = '/directory/students?tag=sorted'
    expect(names(await list(path))).toEqual(['Basil Abbas', 'Amal eclair', 'Zain Éclair', 'رنا أحمد', 'سامي احمد'])
    const first = (await institute.owner.get(`${path}&limit=2`)).body
    const next = (await institute.owner.get(`${path}&limit=9&cursor=${first.nextCursor}`)).body
    expect(names([...first.data, ...next.data])).toEqual(names(await list(path)))
    expect(names(await list(`${path}&sort=newest`))[0]).toBe('Basil Abbas')
  })

  test('a student who gets another name moves to its place', async () => {
    const { id } = await student('Moved', 'Aaa', { tags: ['moved'] })
    await student('Stays', 'Mmm', { tags: ['moved'] })
    await institute.owner.patch(`/students/${id}`, { lastName: 'Zzz' })
    expect(names(await list('/directory/students?tag=moved'))).toEqual(['Stays Mmm', 'Moved Zzz'])
  })

  test('beside the name stand groups, own phone, whom to call and what is owed in each currency', async () => {
    const { id } = await student('Lina', 'Nasser', { phone: '0501112233', tags: ['rich'] })
    await guardian(id, 'Sami', { isPayer: true })
    const mother = await guardian(id, 'Huda', { isPrimary: true })
    const { id: categoryId } = await made('/course-categories', { name: 'Languages', slug: 'languages' })
    const { id: courseId } = await made('/courses', { categoryId, name: 'English' })
    const { id: groupId } = await made('/groups', { courseId, branchId: institute.branchId, name: 'A1', capacity: 9 })
    await made('/enrollments', { studentId: id, groupId })
    await owes(id, 12_000)
    await owes(id, 3_000)
    const [row] = await list('/directory/students?tag=rich')
    expect(row).toMatchObject({
      phone: '+972501112233',
      groups: [{ groupId, groupName: 'A1', courseName: 'English' }],
      contact: { guardianId: mother.id, fullName: 'Huda Nasser', phone: mother.phone, relationship: 'mother' },
      balances: [{ amountMinor: 15_000, currency: 'ILS' }],
    })
    expect(names(await list(`/directory/students?groupId=${groupId}`))).toEqual(['Lina Nasser'])
    const headers = { authorization: `Bearer ${institute.owner.credential}` }
    const sheet = await fetch(`${app.url}/api/v1/directory/students?tag=rich&format=csv`, { headers })
    const text = await sheet.text()
    expect(text).toContain('A1')
    expect(text).toContain('150.00 ILS')
  })

  test('a guardian has the children, and owes for those whose payer they are', async () => {
    const [one, other] = [await student('Adam', 'Haddad'), await student('Bana', 'Haddad')]
    const payer = await guardian(one.id, 'Karim', { isPayer: true })
    await made(`/students/${other.id}/guardians`, {
      guardianId: payer.id,
      relationship: 'father',
      isPrimary: false,
      isPayer: false,
    })
    await owes(one.id, 5_000)
    await owes(other.id, 7_000)
    const row = (await list('/directory/guardians?q=Karim'))[0]
    expect(row).toMatchObject({ id: payer.id, fullName: 'Karim Nasser', phone: payer.phone })
    expect(row.children).toEqual([
      { studentId: one.id, fullName: 'Adam Haddad', status: 'lead', isPayer: true },
      { studentId: other.id, fullName: 'Bana Haddad', status: 'lead', isPayer: false },
    ])
    expect(row.balances).toEqual([{ amountMinor: 5_000, currency: 'ILS' }])
  })

  test('whom to call and what is owed are null to callers who may read neither', async () => {
    const { id } = await student('Kept', 'Secret', { tags: ['secret'] })
    await guardian(id, 'Noor', { isPrimary: true })
    await owes(id, 4_000)
    const reader = await institute.member({ permissions: ['students.read'] })
    expect((await list('/directory/students?tag=secret', reader))[0]).toMatchObject({ contact: null, balances: null })
  })
})

test('guardians of one, of a student or of a group say who has an account and who is invited', async () => {
  const { owner } = institute
  const { id: studentId } = await student('Mira', 'Accounts')
  const groupId = await newGroup(institute)
  await made('/enrollments', { studentId, groupId })
  const none = await guardian(studentId, 'Nadia', {})
  const invited = await guardian(studentId, 'Iman', {})
  const active = await guardian(studentId, 'Amal', {})
  await guardian((await student('Other', 'Accounts')).id, 'Elsewhere', {})
  await owner.post(`/guardians/${invited.id}/invite`, { email: 'iman@example.org' })
  const member = await institute.member({ permissions: ['guardians.read'] })
  await linkAccount(app, 'guardian', { id: active.id, userId: member.userId })
  const { data: members } = (await owner.get('/members?limit=100')).body
  const { membershipId } = members.find(({ email }: { email: string }) => email === 'iman@example.org')
  const expected = [
    expect.objectContaining({ id: active.id, account: 'active', membershipId: null }),
    expect.objectContaining({ id: invited.id, account: 'invited', membershipId }),
    expect.objectContaining({ id: none.id, account: 'none', membershipId: null }),
  ]
  for (const filter of [`studentId=${studentId}`, `groupId=${groupId}`]) {
    expect(await list(`/directory/guardians?${filter}`), filter).toEqual(expected)
  }
  expect(await list(`/directory/guardians?guardianId=${invited.id}`)).toEqual([expected[1]])
  expect(await list(`/directory/guardians?guardianId=${invited.id}`, member)).toMatchObject([
    { account: 'invited', membershipId: null },
  ])
})
