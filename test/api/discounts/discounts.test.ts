import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { newParent } from '#kit/family.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newGroup, newPupil } from '../examples/sessions.ts'

/** Discounts that stand: who has them, until when, and how much they may come to. */

let app: TestApp
let institute: TestInstitute
let owner: Client
let studentId: string
let groupId: string

beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set('2026-03-02T08:00:00.000Z')
  institute = await makeInstitute(app)
  owner = institute.owner
  groupId = await newGroup(institute)
  studentId = await newPupil(institute, groupId)
})

const tenth = { kind: 'percent', value: 10, label: 'Staff', validFrom: '2026-03-01' }
const add = (fields: Record<string, unknown>) => owner.post('/discounts', { ...tenth, ...fields })

test('a discount says whose it is, how much, of what and until when', async () => {
  const guardianId = await newParent(institute, studentId, {}, { isPayer: true })
  const { courseId } = (await owner.get(`/groups/${groupId}`)).body
  const ofStudent = await add({ studentId, value: 12.25, groupId, validTo: '2026-06-30' })
  expect(ofStudent.status).toBe(201)
  expect(ofStudent.body).toMatchObject({
    studentId,
    studentName: expect.stringContaining('Pupil'),
    guardianId: null,
    guardianName: null,
    kind: 'percent',
    percent: 12.25,
    amount: null,
    label: 'Staff',
    groupId,
    groupName: expect.stringContaining('Group'),
    courseId: null,
    validFrom: '2026-03-01',
    validTo: '2026-06-30',
  })
  const ofPayer = await add({ guardianId, kind: 'amount', value: 5000, courseId })
  expect(ofPayer.body).toMatchObject({
    studentId: null,
    guardianId,
    percent: null,
    amount: { amountMinor: 5000, currency: 'ILS' },
    courseId,
    courseName: expect.stringContaining('Course'),
    validTo: null,
  })
  expect((await owner.get(`/discounts/${ofPayer.body.id}`)).body).toEqual(ofPayer.body)
})

test.each([
  ['of nobody', {}, ['studentId']],
  ['of a student and a guardian', { studentId: 'own', guardianId: 'own' }, ['guardianId']],
  ['of less than a percent', { studentId: 'own', value: 0.99 }, ['value']],
  ['of more than all', { studentId: 'own', value: 100.01 }, ['value']],
  ['of a thousandth', { studentId: 'own', value: 10.125 }, ['value']],
  ['of nothing', { studentId: 'own', kind: 'amount', value: 0 }, ['value']],
  ['of half an agora', { studentId: 'own', kind: 'amount', value: 10.5 }, ['value']],
  ['of a percentage in a currency', { studentId: 'own', currency: 'USD' }, ['currency']],
  ['that ends before it begins', { studentId: 'own', validTo: '2026-02-28' }, ['validTo']],
  ['for a course and a group', { studentId: 'own', courseId: 'own', groupId: 'own' }, ['groupId']],
])('there is no discount %s', async (_, fields: Record<string, unknown>, path) => {
  const own = { studentId, guardianId: studentId, courseId: groupId, groupId }
  const given = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value === 'own' ? own[name as keyof typeof own] : value]),
  )
  const { status, body } = await add(given)
  expect(status).toBe(422)
  expect(body.error.details.issues[0].path).toEqual(path)
})

test('nobody who is not there has one, and it is for nothing that is not there', async () => {
  const nobody = '01890000-0000-7000-8000-000000000000'
  for (const fields of [
    { studentId: nobody },
    { guardianId: nobody },
    { studentId, courseId: nobody },
    { studentId, groupId: nobody },
  ]) {
    expect((await add(fields)).status).toBe(404)
  }
})

describe('percentages of one holder', () => {
  const refused = { code: 'CONFLICT', details: { reason: 'discounts_above_price' } }

  test('come to 100 at most on a day', async () => {
    await add({ studentId, value: 60, validTo: '2026-05-31' })
    expect((await add({ studentId, value: 40 })).status).toBe(201)
    const third = await add({ studentId, value: 1 })
    expect([third.status, third.body.error]).toEqual([409, expect.objectContaining(refused)])
    // From June on, 60 of them are free.
    expect((await add({ studentId, value: 60, validFrom: '2026-06-01' })).status).toBe(201)
  })

  test('count together where they are for the same thing', async () => {
    const { courseId } = (await owner.get(`/groups/${groupId}`)).body
    const otherGroup = await newGroup(institute)
    expect((await add({ studentId, value: 70, courseId })).status).toBe(201)
    expect((await add({ studentId, value: 70, groupId: otherGroup })).status).toBe(201)
    // The group is one of the course.
    expect((await add({ studentId, value: 31, groupId })).status).toBe(409)
    expect((await add({ studentId, value: 30, groupId })).status).toBe(201)
    expect((await add({ studentId, value: 1 })).status).toBe(409)
  })

  test('do not come to more because one lasts longer', async () => {
    const first = (await add({ studentId, value: 60, validTo: '2026-03-31' })).body
    await add({ studentId, value: 60, validFrom: '2026-04-01' })
    const { status, body } = await owner.patch(`/discounts/${first.id}`, { validTo: '2026-04-01' })
    expect([status, body.error]).toEqual([409, expect.objectContaining(refused)])
  })

  test('may come to more with those of who pays', async () => {
    const guardianId = await newParent(institute, studentId, {}, { isPayer: true })
    await add({ studentId, value: 80 })
    expect((await add({ guardianId, value: 80 })).status).toBe(201)
  })

  test('do not come to more when two are given at once', async () => {
    const both = await Promise.all([add({ studentId, value: 60 }), add({ studentId, value: 60 })])
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
  })
})

test('a discount is ended or called something else, and stays as it is otherwise', async () => {
  const { id } = (await add({ studentId })).body
  const { body } = await owner.patch(`/discounts/${id}`, { label: 'Of the choir', validTo: '2026-03-31' })
  expect(body).toMatchObject({ label: 'Of the choir', validTo: '2026-03-31', percent: 10 })
  expect((await owner.patch(`/discounts/${id}`, { validTo: '2026-02-28' })).status).toBe(422)
  expect((await owner.patch(`/discounts/${id}`, { validTo: null })).body.validTo).toBeNull()
  expect((await owner.delete(`/discounts/${id}`)).status).toBe(200)
  expect((await owner.get(`/discounts/${id}`)).status).toBe(404)
})

test('the list finds those of somebody, for something, and those that hold on a day', async () => {
  const guardianId = await newParent(institute, studentId, {}, { isPayer: true })
  const { courseId } = (await owner.get(`/groups/${groupId}`)).body
  const ended = (await add({ studentId, groupId, validTo: '2026-03-31' })).body.id
  const open = (await add({ guardianId, courseId, validFrom: '2026-03-15' })).body.id
  const found = async (query: string) =>
    (await owner.get(`/discounts?${query}`)).body.data.map(({ id }: { id: string }) => id)
  expect(await found('')).toEqual([open, ended])
  expect(await found(`studentId=${studentId}`)).toEqual([ended])
  expect(await found(`guardianId=${guardianId}`)).toEqual([open])
  expect(await found(`courseId=${courseId}`)).toEqual([open])
  expect(await found(`groupId=${groupId}`)).toEqual([ended])
  expect(await found('at=2026-03-14')).toEqual([ended])
  expect(await found('at=2026-03-31')).toEqual([open, ended])
  expect(await found('at=2026-04-01')).toEqual([open])
})
