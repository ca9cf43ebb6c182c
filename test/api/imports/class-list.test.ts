import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { create, newGroup, newPupil } from '../examples/sessions.ts'

/** A class list that is pasted: read by the server, shown first, and made as a whole or not at all. */

let app: TestApp
let school: TestInstitute
let owner: Client
let groupId: string

beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  school = await makeInstitute(app)
  owner = school.owner
  groupId = await newGroup(school)
})

const send = async (text: string, more: object = {}, as: Client = owner) =>
  as.post(`/groups/${groupId}/class-list`, { text, ...more })
const look = async (text: string, more: object = {}, as: Client = owner) => {
  const { status, body } = await send(text, { dryRun: true, ...more }, as)
  expect([status, body]).toMatchObject([200, { dryRun: true }])
  return body
}
// oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects to find
const outcomes = ({ lines }: any) => lines.map(({ outcome }: { outcome: string }) => outcome)
const pupil = (firstName: string, lastName: string, more: object = {}) =>
  create(school, '/students', { branchId: school.branchId, firstName, lastName, ...more })
const rosterSize = async () => (await owner.get(`/groups/${groupId}/enrollments?limit=100`)).body.data.length
const studentsCalled = async (q: string) => (await owner.get(`/students?q=${encodeURIComponent(q)}`)).body.data

describe('a list that is pasted', () => {
  test('while a lesson runs puts those who sit in it on its roster', async () => {
    const at = (minutes: number) => new Date(app.clock.millis() + minutes * 60_000).toISOString()
    const times = { scheduledStart: at(-20), scheduledEnd: at(40) }
    const running = (await owner.post(`/groups/${groupId}/sessions`, times)).body
    expect((await send('Sonia Newman\nSelim Newman')).status).toBe(201)
    const enrolled = (await owner.get(`/groups/${groupId}/enrollments`)).body.data
    const since = { enrolledAt: running.scheduledStart }
    expect(enrolled).toMatchObject([since, since])
    expect((await owner.get(`/sessions/${running.id}/attendance`)).body.entries).toHaveLength(2)
  })

  test('keeps a first name of two words together', async () => {
    const { lines } = await look('نور الدين علي حنني\nعبد الرحمن سعد')
    expect(lines).toMatchObject([
      { person: { firstName: 'نور الدين', lastName: 'علي حنني' } },
      { person: { firstName: 'عبد الرحمن', lastName: 'سعد' } },
    ])
  })

  test('is shown first, and then made by one request: who is here is enrolled, who is new is added too', async () => {
    const lina = await pupil('Lina', 'Khoury', { phone: '054-123-4567' })
    const { studentNumber } = (await owner.get(`/students/${lina}`)).body
    const text = `1\t${studentNumber}\n2\tSonia Newman\t050-111-2233\n`
    const shown = await look(text)
    expect(shown).toMatchObject({
      isReady: true,
      enrolled: 2,
      registered: 1,
      lines: [
        { line: 1, outcome: 'enrolled', student: { id: lina, fullName: 'Lina Khoury', studentNumber }, person: null },
        {
          line: 2,
          outcome: 'registered',
          student: null,
          person: { firstName: 'Sonia', lastName: 'Newman', phone: '+972501112233' },
        },
      ],
    })
    expect([await rosterSize(), await studentsCalled('Sonia')]).toEqual([0, []])
    const made = await send(text)
    expect([made.status, made.body]).toMatchObject([201, { dryRun: false, isReady: true, enrolled: 2, registered: 1 }])
    expect(await rosterSize()).toBe(2)
    expect(await studentsCalled('Sonia')).toMatchObject([{ status: 'active', branchId: school.branchId }])
    // Pasted once more, everybody is in the group already.
    expect(outcomes(await look(text))).toEqual(['already', 'already'])
  })

  test('makes nothing while a line is unclear: one of two is chosen, somebody new is said to be, a line is left out', async () => {
    const [first, second] = [await pupil('Sami', 'Haddad'), await pupil('Sami', 'Haddad')]
    const known = await pupil('Dana', 'Levi', { phone: '050-765-4321' })
    const text = 'Sami Haddad\nDana Levi\t052-222-3344\nMadonna'
    const shown = await look(text)
    expect(outcomes(shown)).toEqual(['choose', 'choose', 'refused'])
    expect(shown.isReady).toBe(false)
    expect(shown.lines[0].candidates.map(({ id }: { id: string }) => id).toSorted()).toEqual([first, second].toSorted())
    // Another phone stands beside the name: it may be somebody else.
    expect(shown.lines[1].candidates).toMatchObject([{ id: known }])
    expect(shown.lines[2]).toMatchObject({ reason: 'missing', field: 'lastName' })
    const refused = await send(text)
    expect([refused.status, refused.body.error.details]).toEqual([
      409,
      { reason: 'class_list_not_ready', lines: [1, 2, 3] },
    ])
    expect(await rosterSize()).toBe(0)
    const choices = [
      { line: 1, take: 'student', studentId: second },
      { line: 2, take: 'new' },
      { line: 3, take: 'nobody' },
    ]
    expect(outcomes(await look(text, { choices }))).toEqual(['enrolled', 'registered', 'left_out'])
    expect((await send(text, { choices })).status).toBe(201)
    expect(await rosterSize()).toBe(2)
    expect(await studentsCalled('Dana Levi')).toHaveLength(2)
  })

  test('reads heads in three languages, with guardians, ids and dates, as an import does', async () => {
    const text = [
      'שם משפחה\tשם פרטי\tת.ז\tתאריך לידה\tשם האם\tטלפון האם',
      'בר-אור\tדנה\t12345674\t14.3.2015\tרות בר-אור\t050-333-4455',
      'בר-אור\tיונתן\t\t1.9.2017\tרות בר-אור\t050-333-4455',
    ].join('\n')
    const shown = await look(text)
    expect(shown.lines).toMatchObject([
      {
        outcome: 'registered',
        person: {
          firstName: 'דנה',
          lastName: 'בר-אור',
          nationalId: '012345674',
          birthDate: '2015-03-14',
          guardians: [expect.stringContaining('רות בר-אור')],
        },
      },
      { outcome: 'registered', person: { firstName: 'יונתן', nationalId: null, birthDate: '2017-09-01' } },
    ])
    expect((await send(text)).status).toBe(201)
    // Both children have the one mother.
    expect((await owner.get('/guardians?q=050-333-4455')).body.data).toHaveLength(1)
    // Found again by what tells them apart, and not by the name.
    expect(outcomes(await look('ת.ז\n12345674'))).toEqual(['already'])
  })

  test('turns names about which begin with the last name', async () => {
    const person = async (lastNameFirst: boolean) =>
      (await look('Newman Sonia Ruth', { lastNameFirst })).lines[0].person
    expect(await person(false)).toMatchObject({ firstName: 'Newman', lastName: 'Sonia Ruth' })
    expect(await person(true)).toMatchObject({ firstName: 'Sonia Ruth', lastName: 'Newman' })
  })

  test('says whom the group has no place for, and who stands there twice', async () => {
    await owner.patch(`/groups/${groupId}`, { capacity: 1 })
    const lina = await pupil('Lina', 'Khoury')
    await pupil('Adam', 'Saleh')
    const { studentNumber } = (await owner.get(`/students/${lina}`)).body
    const shown = await look(`Lina Khoury\n${studentNumber}\nAdam Saleh`)
    expect(outcomes(shown)).toEqual(['enrolled', 'already', 'refused'])
    expect(shown.lines[2]).toMatchObject({ reason: 'group_full', student: { fullName: 'Adam Saleh' } })
  })

  test('is refused where it has no line, too many, or a choice of none of them', async () => {
    for (const [text, more, path] of [
      ['  \n', {}, 'text'],
      [Array.from({ length: 201 }, (_, n) => `Name ${n + 1000} Levi`).join('\n'), {}, 'text'],
      ['Lina Khoury', { choices: [{ line: 2, take: 'new' }] }, 'choices.0.line'],
      ['Lina Khoury', { choices: [{ line: 1, take: 'student' }] }, 'choices.0.studentId'],
    ] as const) {
      const { status, body } = await send(text, more)
      expect([status, body.error.details.issues[0].path.join('.')]).toEqual([422, path])
    }
    const nobody = await owner.post(`/groups/${school.branchId}/class-list`, { text: 'Lina Khoury' })
    expect(nobody.status).toBe(404)
  })
})

describe('what a caller may', () => {
  test('who enrols and registers nobody is refused the new ones, and hears no name without reading students', async () => {
    await pupil('Sami', 'Haddad')
    await pupil('Sami', 'Haddad')
    const enroller = await school.member({ permissions: ['enrollments.write'] })
    const shown = await look('Sonia Newman\nSami Haddad', {}, enroller)
    expect(shown.lines).toMatchObject([
      { outcome: 'refused', reason: 'unknown_student', candidates: [] },
      { outcome: 'refused', reason: 'unknown_student', candidates: [] },
    ])
    const reader = await school.member({ permissions: ['enrollments.write', 'students.read'] })
    expect(outcomes(await look('Sonia Newman\nSami Haddad', {}, reader))).toEqual(['refused', 'choose'])
    const register = await school.member({ permissions: ['enrollments.write', 'students.read', 'students.write'] })
    const withMother = 'Name\tMother phone\nSonia Newman\t050-333-4455'
    expect((await look(withMother, {}, register)).lines).toMatchObject([
      { outcome: 'refused', reason: 'permission_missing' },
    ])
    expect(outcomes(await look('Sonia Newman', {}, register))).toEqual(['registered'])
  })

  test('under a role for one branch, students of another are out of reach', async () => {
    const north = await create(school, '/branches', { name: 'North' })
    const far = await create(school, '/students', { branchId: north, firstName: 'Far', lastName: 'Away' })
    const { studentNumber } = (await owner.get(`/students/${far}`)).body
    const desk = await school.member({ role: 'front_desk', branchId: school.branchId })
    const shown = await look(`${studentNumber}`, {}, desk)
    expect(shown.lines).toMatchObject([{ outcome: 'refused', reason: 'out_of_reach', student: null }])
  })
})

test('two who paste the same list at once add nobody twice', async () => {
  const text = 'Sonia Newman\t050-111-2233\nAdam Saleh\t050-111-2244'
  const both = await Promise.all([send(text), send(text)])
  expect(both.map(({ status }) => status)).toEqual([201, 201])
  expect(await rosterSize()).toBe(2)
  expect(await studentsCalled('Sonia')).toHaveLength(1)
})

test('a pupil of the group is not enrolled again', async () => {
  const pupilId = await newPupil(school, groupId)
  const { fullName } = (await owner.get(`/students/${pupilId}`)).body
  expect(outcomes(await look(fullName))).toEqual(['already'])
})
