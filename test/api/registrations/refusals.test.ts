import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Permission } from '#kernel/rights/permissions.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { grant } from '#kit/grant.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { watchWrites, type Write } from '#kit/writes.ts'
import { child, family, mother, openGroup } from './place.ts'

let app: TestApp
let school: TestInstitute
let owner: Client
let branchId: string
let writes: () => Promise<Write[]>

beforeAll(async () => {
  app = await startApp()
  school = await makeInstitute(app)
  owner = school.owner
  branchId = school.branchId
  writes = await watchWrites(app)
})
afterAll(() => app.close())

const NOBODY = '01890a5d-ac96-774b-bcce-b302099a8057'

/** Sends what is refused, and looks that no row was written. @returns status, reason or message, path */
const refused = async (body: object, as: Client = owner): Promise<unknown[]> => {
  await writes()
  const { status, body: reply } = await as.post('/registrations', body)
  expect(await writes()).toEqual([])
  const { details = {}, code } = reply.error
  const [issue] = details.issues ?? []
  return [status, details.reason ?? issue?.message ?? code, (issue?.path ?? details.path)?.join('.')]
}

const two = (more: object, first: object = {}) => ({
  ...family(branchId),
  students: [child(branchId, first), child(branchId, { firstName: 'Adam', ...more })],
})

describe('each refusal says where, and leaves nothing', () => {
  test('of the guardian', async () => {
    const guardian = mother()
    await owner.post('/guardians', guardian)
    expect(await refused(family(branchId, { guardian }))).toEqual([409, 'guardian_phone_taken', 'guardian.phone'])
    expect(await refused(family(branchId, { guardian: { id: NOBODY } }))).toEqual([404, 'NOT_FOUND', 'guardian.id'])
    const odd = [422, 'Must be a phone number, such as +972501234567.', 'guardian.phone']
    expect(await refused(family(branchId, { guardian: mother({ phone: '12' }) }))).toEqual(odd)
    expect(await refused(family(branchId, { guardian: {} }))).toEqual([422, 'Is needed.', 'guardian.firstName'])
    const gaps = {
      guardian: { phone: '12' },
      relationship: undefined,
      students: [{ phone: 'x', birthDate: '2030-01-01' }],
    }
    const { details } = (await owner.post('/registrations', family(branchId, gaps))).body.error
    expect(details.issues.map(({ path }: { path: string[] }) => path.join('.'))).toEqual([
      'relationship',
      'guardian.firstName',
      'guardian.lastName',
      'guardian.phone',
      'students.0.phone',
      'students.0.birthDate',
      'students.0.firstName',
      'students.0.lastName',
      'students.0.branchId',
    ])
    expect(await refused(family(branchId, { relationship: undefined }))).toEqual([422, 'Is needed.', 'relationship'])
    const both = family(branchId, { guardian: { id: NOBODY, lastName: 'Levi' } })
    expect(await refused(both)).toEqual([422, 'Must be left out of somebody who is named by id.', 'guardian.lastName'])
  })

  test('of one’s own record as guardian', async () => {
    const desk = await school.member({ permissions: ['students.write', 'guardians.write'] })
    const guardian = (await owner.post('/guardians', mother({ userId: desk.userId }))).body
    const body = family(branchId, { guardian: { id: guardian.id } })
    expect(await refused(body, desk)).toEqual([403, 'own_account_link', 'students.0'])
  })

  test('of a student', async () => {
    expect(await refused(two({ branchId: NOBODY }))).toEqual([404, 'NOT_FOUND', 'students.1.branchId'])
    expect(await refused(two({ branchId: undefined }))).toEqual([422, 'Is needed.', 'students.1.branchId'])
    expect(await refused(two({ birthDate: '2030-01-01' }))).toEqual([
      422,
      'Must not be in the future.',
      'students.1.birthDate',
    ])
    const numbered = { studentNumber: 'S-000777' }
    expect(await refused(two(numbered, numbered))).toEqual([409, 'student_number_taken', 'students.1.studentNumber'])
    const missing = { ...family(branchId), students: [child(branchId), { id: NOBODY }] }
    expect(await refused(missing)).toEqual([404, 'NOT_FOUND', 'students.1.id'])
    const twice = { students: [{ id: NOBODY }, { id: NOBODY }] }
    expect(await refused(twice)).toEqual([422, 'Must not name a student twice.', 'students.1.id'])
    expect((await refused({ students: [] }))[0]).toBe(422)
    expect((await refused({ students: Array.from({ length: 201 }, () => child(branchId)) }))[0]).toBe(422)
  })

  test('of the plan, and of the last number', async () => {
    const at = await makeInstitute(app)
    await grant(app, at, { quotas: { maxStudents: 1 } })
    const both = { ...family(at.branchId), students: [child(at.branchId), child(at.branchId)] }
    expect(await refused(both, at.owner)).toEqual([403, 'quota_exceeded', 'students.1'])
    await grant(app, at, {})
    await at.owner.post('/students', child(at.branchId))
    await app.app.database.write((db) =>
      db
        .updateTable('tenant_counter')
        .set({ value: 999_998 })
        .where('tenant_id', '=', at.tenant.id)
        .where('name', '=', 'student')
        .execute(),
    )
    expect(await refused(both, at.owner)).toEqual([409, 'student_numbers_used_up', 'students.1'])
  })

  test('of a group', async () => {
    const group = await openGroup(owner, branchId, { capacity: 1 })
    const ended = await openGroup(owner, branchId, { status: 'completed' })
    const groups = [{ groupId: group.id }]
    const path = 'students.1.groups.0.groupId'
    expect(await refused(two({ groups }, { groups }))).toEqual([409, 'group_full', path])
    expect(await refused(two({ groups: [{ groupId: ended.id }] }))).toEqual([409, 'cannot_enroll', path])
    expect(await refused(two({ groups: [{ groupId: NOBODY }] }))).toEqual([404, 'NOT_FOUND', path])
    const open = await openGroup(owner, branchId)
    const again = { groups: [{ groupId: open.id }, { groupId: open.id }] }
    expect(await refused(two(again))).toEqual([409, 'already_enrolled', 'students.1.groups.1.groupId'])
    const later = { groups: [{ groupId: open.id, enrolledAt: '2036-04-01T08:00:00Z' }] }
    expect(await refused(two(later))).toEqual([
      422,
      'Must be at most 366 days ahead.',
      'students.1.groups.0.enrolledAt',
    ])
  })

  test('of an invoice', async () => {
    const invoiced = (line: object) => ({
      ...two({
        lines: [
          { description: 'Book', unitAmountMinor: 100 },
          { description: 'Pen', unitAmountMinor: 10, ...line },
        ],
      }),
      invoice: 'issue',
    })
    expect(await refused(invoiced({ discountMinor: 11 }))).toEqual([
      422,
      'Must be at most the line.',
      'students.1.lines.1.discountMinor',
    ])
    expect(await refused(invoiced({ groupId: NOBODY }))).toEqual([
      422,
      'Must be a group that the student joins here.',
      'students.1.lines.1.groupId',
    ])
    expect(await refused(invoiced({ feeScheduleId: NOBODY }))).toEqual([404, 'NOT_FOUND', 'students.1.lines'])
  })

  test('of more money than sums hold', async () => {
    const at = await makeInstitute(app)
    const { id } = (await at.owner.post('/students', child(at.branchId))).body
    const one = { description: 'Year', unitAmountMinor: 1_000_000_000_000 }
    const { id: invoiceId } = (await at.owner.post('/invoices', { studentId: id, lines: [one] })).body
    const full = { total_minor: 4_000_000_000_000_000, subtotal_minor: 4_000_000_000_000_000 }
    await app.app.database.write((db) =>
      db.updateTable('invoice').set(full).where('tenant_id', '=', at.tenant.id).where('id', '=', invoiceId).execute(),
    )
    const body = { students: [{ id }, child(at.branchId, { lines: [one] })], invoice: 'draft' }
    expect(await refused(body, at.owner)).toEqual([409, 'sums_full', 'students.1'])
  })

  test('of a lead', async () => {
    const lead = (await owner.post('/leads', { firstName: 'Omar', lastName: 'Aziz', phone: '0501112233' })).body
    const body = { leadId: lead.id, students: [{}] }
    expect(await refused({ ...body, leadId: NOBODY })).toEqual([404, 'NOT_FOUND', 'leadId'])
    const done = (await owner.post('/registrations', body)).body
    expect(await refused(body)).toEqual([409, 'already_converted', 'leadId'])
    expect(done.students[0].student.firstName).toBe('Omar')
  })
})

describe('whose rights', () => {
  const all: Permission[] = ['students.write', 'guardians.write', 'enrollments.write', 'invoices.write', 'leads.write']

  test('each part needs its own permission, and only where it is there', async () => {
    const group = await openGroup(owner, branchId)
    const lead = async () =>
      (await owner.post('/leads', { firstName: 'Omar', lastName: 'Aziz', phone: '0501112233' })).body.id
    const parts: [Permission, () => Promise<object>][] = [
      ['students.write', async () => ({})],
      ['guardians.write', async () => ({ guardian: mother(), relationship: 'mother' })],
      ['enrollments.write', async () => ({ students: [child(branchId, { groups: [{ groupId: group.id }] })] })],
      ['invoices.write', async () => ({ invoice: 'draft' })],
      ['leads.write', async () => ({ leadId: await lead() })],
    ]
    for (const [permission, part] of parts) {
      const without = await school.member({ permissions: all.filter((one) => one !== permission) })
      const { status, body } = await without.post('/registrations', { students: [child(branchId)], ...(await part()) })
      expect([permission, status, body.error?.details]).toEqual([
        permission,
        403,
        { reason: 'permission_missing', permissions: [permission] },
      ])
      const needed = new Set<Permission>(['students.write', permission])
      const enough = await school.member({ permissions: [...needed] })
      const reply = await enough.post('/registrations', { students: [child(branchId)], ...(await part()) })
      expect([permission, reply.status]).toEqual([permission, 201])
    }
  })

  test('within a branch, what is of another is not there', async () => {
    const { body: haifa } = await owner.post('/branches', { name: 'Haifa', code: 'HF' })
    const desk = await school.member({ permissions: all, branchId: haifa.id })
    const other = await openGroup(owner, branchId)
    const own = await openGroup(owner, haifa.id)
    const there = (await owner.post('/registrations', family(branchId))).body
    const of = (more: object) => ({ ...family(haifa.id), students: [child(haifa.id, more)] })
    expect(await refused(of({ groups: [{ groupId: own.id }, { groupId: other.id }] }), desk)).toEqual([
      404,
      'NOT_FOUND',
      'students.0.groups.1.groupId',
    ])
    expect(await refused(of({ branchId }), desk)).toEqual([404, 'NOT_FOUND', 'students.0.branchId'])
    expect(await refused({ students: [{ id: there.students[0].student.id }] }, desk)).toEqual([
      404,
      'NOT_FOUND',
      'students.0.id',
    ])
    const guardian = { id: there.guardian.id }
    expect(await refused({ ...of({}), guardian }, desk)).toEqual([404, 'NOT_FOUND', 'guardian.id'])
    const known = { ...of({}), guardian: mother({ phone: there.guardian.phone }) }
    expect(await refused(known, desk)).toEqual([409, 'guardian_phone_taken', 'guardian.phone'])
    expect((await desk.post('/registrations', of({ groups: [{ groupId: own.id }] }))).status).toBe(201)
  })

  test('records of another institute are not there', async () => {
    const foreign = await makeInstitute(app)
    const theirs = (await foreign.owner.post('/registrations', family(foreign.branchId))).body
    const group = await openGroup(foreign.owner, foreign.branchId)
    const [guardian, { student }] = [theirs.guardian, theirs.students[0]]
    const lead = (await foreign.owner.post('/leads', { firstName: 'Omar', lastName: 'Aziz', phone: '0501112233' })).body
    const each = [
      { ...family(branchId), guardian: { id: guardian.id } },
      { students: [{ id: student.id }] },
      { students: [child(foreign.branchId)] },
      { students: [child(branchId, { groups: [{ groupId: group.id }] })] },
      { students: [{}], leadId: lead.id },
    ]
    for (const body of each) expect((await refused(body)).slice(0, 2)).toEqual([404, 'NOT_FOUND'])
  })
})

test('a list comes in together, or nobody of it does', async () => {
  const list = Array.from({ length: 30 }, (_, nth) => child(branchId, { firstName: `Listed ${nth}` }))
  const wrong = list.with(17, child(branchId, { phone: 'nobody’s' }))
  expect((await refused({ guardian: null, students: wrong })).slice(0, 1)).toEqual([422])
  const { status, body } = await owner.post('/registrations', { guardian: null, students: list })
  expect([status, body.students.length]).toEqual([201, 30])
})
