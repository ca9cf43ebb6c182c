import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Permission } from '#kernel/rights/permissions.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import type { Client, Reply } from '#kit/client.ts'
import { png, upload } from '#kit/files.ts'
import { linkAccount } from '#kit/link-account.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { type JsonSchema, jsonSchemaOf, readDocument } from '#kit/openapi/document.ts'
import { issuedInvoice } from '../examples/billing.ts'
import { dueCheque } from '../examples/cheques.ts'
import { newApiKey } from '../examples/integrations.ts'
import { enquiry } from '../examples/leads.ts'
import { newFamily, newGuardian, newPhone, newStudent } from '../examples/people.ts'
import { create, newGroup, newPupil, newSession, newStaff } from '../examples/sessions.ts'

/**
 * The fields that decide who reaches a record: who may set them, on what, and what whoever set them can read afterwards.
 * The account behind a record, the most powerful of them, has a file of its own: test/api/people/accounts.test.ts.
 */

let app: TestApp
let institute: TestInstitute
/** Where the callers of this file may work, and where they may not. */
let north: Place
let south: Place

interface Place {
  owner: Client
  branchId: string
}
interface World extends Place {
  app: TestApp
  institute: TestInstitute
  serial: number
}
const worldAt = ({ branchId }: Place): World => ({ app, institute, owner: institute.owner, branchId, serial: 0 })

beforeAll(async () => {
  app = await startApp({ config: NO_LIMITS })
  institute = await makeInstitute(app)
  const { owner, branchId } = institute
  north = { owner, branchId }
  south = { owner, branchId: await create({ owner }, '/branches', { name: 'South' }) }
})
afterAll(() => app.close())

const inNorth = (...permissions: Permission[]) => institute.member({ permissions, branchId: north.branchId })

const missing = { status: 404, body: { error: { code: 'NOT_FOUND' } } }
const escalation = { status: 403, body: { error: { code: 'PERMISSION_ESCALATION' } } }

/** A field that names a record with a branch. */
interface Field {
  permission: Permission
  /** What the request needs beside it. */
  also?: readonly Permission[]
  /** The record that it names, in the given branch. */
  record: (place: Place) => Promise<string>
  /** Sends the request by which the caller sets the field, on a record in the north. */
  set: (caller: Client, id: string) => Promise<Reply>
}

const group = () => newGroup(north)
const pupil = (place: Place) => newStudent(worldAt(place))
const guardian = async (place: Place) => (await newFamily(worldAt(place))).guardianId
const branch = async ({ branchId }: Place) => branchId
const link = { relationship: 'mother', isPrimary: false, isPayer: false }
const family = { firstName: 'Dana', lastName: 'Levi' }

/** By operation and field; what follows a file’s entityType is a field of its own. */
const FIELDS: Record<string, Field> = {
  'students.create branchId': {
    permission: 'students.write',
    record: branch,
    set: (caller, branchId) => caller.post('/students', { ...family, branchId }),
  },
  'students.update branchId': {
    permission: 'students.write',
    record: branch,
    set: async (caller, branchId) => caller.patch(`/students/${await pupil(north)}`, { branchId }),
  },
  'staff.create branchId': {
    permission: 'staff.write',
    record: branch,
    set: (caller, branchId) => caller.post('/staff', { ...family, branchId }),
  },
  'staff.update branchId': {
    permission: 'staff.write',
    record: branch,
    set: async (caller, branchId) => caller.patch(`/staff/${await newStaff(north)}`, { branchId }),
  },
  'groups.create branchId': {
    permission: 'groups.write',
    record: branch,
    set: async (caller, branchId) => {
      const { courseId } = (await institute.owner.get(`/groups/${await group()}`)).body
      return caller.post('/groups', { courseId, branchId, name: 'Another' })
    },
  },
  'groups.update branchId': {
    permission: 'groups.write',
    record: branch,
    set: async (caller, branchId) => caller.patch(`/groups/${await group()}`, { branchId }),
  },
  'groups.create teacherStaffId': {
    permission: 'groups.write',
    record: newStaff,
    set: async (caller, teacherStaffId) => {
      const { courseId } = (await institute.owner.get(`/groups/${await group()}`)).body
      return caller.post('/groups', { courseId, branchId: north.branchId, name: 'Taught', teacherStaffId })
    },
  },
  'groups.update teacherStaffId': {
    permission: 'groups.write',
    record: newStaff,
    set: async (caller, teacherStaffId) => caller.patch(`/groups/${await group()}`, { teacherStaffId }),
  },
  'sessions.create teacherStaffId': {
    permission: 'groups.write',
    record: newStaff,
    set: async (caller, teacherStaffId) => {
      const times = { scheduledStart: '2026-03-05T14:00:00.000Z', scheduledEnd: '2026-03-05T15:30:00.000Z' }
      return caller.post(`/groups/${await group()}/sessions`, { ...times, teacherStaffId })
    },
  },
  'sessions.update teacherStaffId': {
    permission: 'groups.write',
    record: newStaff,
    set: async (caller, teacherStaffId) => caller.patch(`/sessions/${await newSession(north)}`, { teacherStaffId }),
  },
  'guardian-links.create guardianId': {
    permission: 'guardians.write',
    record: guardian,
    set: async (caller, guardianId) =>
      caller.post(`/students/${await pupil(north)}/guardians`, { ...link, guardianId }),
  },
  'students.merge otherId': {
    permission: 'students.write',
    record: pupil,
    set: async (caller, otherId) => caller.post(`/students/${await pupil(north)}/merge`, { otherId, dryRun: true }),
  },
  'guardians.merge otherId': {
    permission: 'guardians.write',
    record: guardian,
    set: async (caller, otherId) => caller.post(`/guardians/${await guardian(north)}/merge`, { otherId, dryRun: true }),
  },
  'enrollments.create studentId': {
    permission: 'enrollments.write',
    record: pupil,
    set: async (caller, studentId) => caller.post('/enrollments', { studentId, groupId: await group() }),
  },
  'enrollments.create groupId': {
    permission: 'enrollments.write',
    record: newGroup,
    set: async (caller, groupId) => caller.post('/enrollments', { studentId: await pupil(north), groupId }),
  },
  'leads.create groupId': {
    permission: 'leads.write',
    record: newGroup,
    set: (caller, groupId) => caller.post('/leads', { ...enquiry(), groupId }),
  },
  'registrations.create leadId': {
    permission: 'leads.write',
    also: ['students.write'],
    record: async (place) => create(place, '/leads', { ...enquiry(), groupId: await newGroup(place) }),
    set: (caller, leadId) => caller.post('/registrations', { leadId, guardian: null, students: [{}] }),
  },
  'cheques.deposit chequeIds': {
    permission: 'payments.record',
    record: async (place) => (await dueCheque(worldAt(place))).id,
    set: (caller, id) => caller.post('/cheques/deposits', { chequeIds: [id], bankAccount: '12-345-678901' }),
  },
  'payments.record-many invoiceId': {
    permission: 'payments.record',
    record: async (place) => (await issuedInvoice(worldAt(place))).id,
    set: (caller, invoiceId) =>
      caller.post('/payments', { allocations: [{ invoiceId, amountMinor: 1 }], currency: 'ILS', method: 'cash' }),
  },
  ...Object.fromEntries(
    Object.entries({ student: pupil, guardian, staff: newStaff, branch, group: newGroup }).map(
      ([entityType, record]): [string, Field] => [
        `files.complete entityId of a ${entityType}`,
        {
          permission: 'files.write',
          record,
          set: async (caller, entityId) => {
            const completion = await upload(app, institute.owner, png(entityId))
            return caller.post('/files/complete', { ...completion, entityType, entityId })
          },
        },
      ],
    ),
  ),
}

/** Fields of changes that name a record and give nobody reach; each names what it is instead. */
const NO_REACH: Record<string, string> = {
  appliedCommandIds: 'commands of a licence',
  assignedToUserId: 'who works on a lead; see below',
  avatarFileId: 'an own picture',
  branchIds: 'guarded by what the caller holds; see test/api/members/invitations.test.ts',
  categoryId: 'of the whole institute',
  clientId: 'the program that an assistant is',
  courseEnrollmentId: 'a line’s reason',
  courseId: 'of the whole institute',
  credentialId: 'a passkey of the caller’s own, as their device names it',
  enrollmentId: 'a line’s reason',
  entryIds: 'the order of a waiting list',
  examId: 'an exam of a group that the caller reaches; see test/api/exams/gradebook.test.ts',
  exceptSessionIds: 'lessons that a cover leaves out',
  feeScheduleId: 'of the whole institute',
  feeScheduleIds: 'of the whole institute',
  fileId: 'a file that the caller may write; see test/api/files/reach.test.ts',
  groupIds: 'groups that the caller reaches; see test/api/rollover/refused.test.ts',
  guardianIds: 'who is told',
  installId: 'a server of an institute',
  lessonId: 'of the whole institute',
  logoFileId: 'the institute’s',
  nationalId: 'a number',
  parentId: 'of the whole institute',
  phoneNumberId: 'a provider’s',
  planId: 'the platform’s',
  roleId: 'guarded by what the caller holds; see test/api/members/members.test.ts',
  sectionId: 'of the whole institute',
  sourceId: 'the message by which people stand on a list that the caller sees',
  studentIds: 'who is told',
  substituteStaffId: 'who gives lessons that the caller reaches; see test/api/covers/covers.test.ts',
  tenantId: 'a membership of the caller’s own',
  userId: 'see test/api/people/accounts.test.ts',
  userIds: 'who is told',
}

test('every field of a change that names a record is looked at here, or gives no reach', async () => {
  const { paths, components } = await readDocument(app)
  const names = new Set<string>()
  const look = (schema: JsonSchema | undefined): void => {
    if (!schema) return
    const named = schema.$ref && components.schemas[schema.$ref.split('/').at(-1) as string]
    if (named) return look(named)
    for (const one of schema.anyOf ?? []) look(one)
    look(schema.items)
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (/Ids?$/.test(name)) names.add(name)
      look(property)
    }
  }
  for (const operations of Object.values(paths)) {
    for (const [method, operation] of Object.entries(operations))
      if (method !== 'get') look(jsonSchemaOf(operation.requestBody))
  }
  const here = new Set([...Object.keys(FIELDS).map((name) => name.split(' ')[1]), ...Object.keys(NO_REACH)])
  expect([...names].filter((name) => !here.has(name))).toEqual([])
  expect([...here].filter((name) => !names.has(name as string))).toEqual([])
})

describe.each(Object.entries(FIELDS))('%s', (_, { permission, also = [], record, set }) => {
  test('is set by who may write both records, and to nothing that they do not reach', async () => {
    const caller = await inNorth(permission, ...also)
    const [near, far] = [await record(north), await record(south)]
    expect([200, 201]).toContain((await set(caller, near)).status)
    expect(await set(caller, far)).toMatchObject(missing)
  })

  test('is not set by who may not write the record', async () => {
    expect(await set(await inNorth('branches.manage'), await record(north))).toMatchObject({ status: 403 })
  })
})

describe('a teacher', () => {
  const teacherIn = async (place: Place) => {
    const member = await institute.member({ role: 'teacher' })
    return { member, staffId: await newStaff(place, { userId: member.userId }) }
  }
  const reads = async (member: TestMember, studentId: string) => (await member.get(`/students/${studentId}`)).status

  test('of a group reads its students, and no others; who made them the teacher reads no more than before', async () => {
    const { member, staffId } = await teacherIn(north)
    const groupId = await group()
    const [studentId, other] = [await newPupil(north, groupId), await newPupil(north, await group())]
    const planner = await inNorth('groups.write')
    expect(await reads(member, studentId)).toBe(404)
    expect((await planner.patch(`/groups/${groupId}`, { teacherStaffId: staffId })).status).toBe(200)
    expect([await reads(member, studentId), await reads(member, other)]).toEqual([200, 404])
    expect(await reads(planner, studentId)).toBe(403)
    await planner.patch(`/groups/${groupId}`, { teacherStaffId: null })
    expect(await reads(member, studentId)).toBe(404)
  })

  test('finds a substitute among the staff of the group’s branch, and for their own groups alone', async () => {
    const { member, staffId } = await teacherIn(north)
    const [substitute, far] = [await teacherIn(north), await teacherIn(south)]
    const groupId = await newGroup(north, { teacherStaffId: staffId })
    const studentId = await newPupil(north, groupId)
    const sessionId = await newSession(north, groupId)
    const to = (id: string, as: Client = member) => as.patch(`/sessions/${sessionId}`, { teacherStaffId: id })
    expect(await to(far.staffId)).toMatchObject(missing)
    expect(await to(substitute.staffId, substitute.member)).toMatchObject(missing)
    expect((await to(substitute.staffId)).status).toBe(200)
    expect([await reads(substitute.member, studentId), await reads(far.member, studentId)]).toEqual([200, 404])
    const foreign = await newSession(north)
    expect((await member.patch(`/sessions/${foreign}`, { teacherStaffId: staffId })).status).toBe(404)
  })
})

describe('a guardian’s link', () => {
  const behind = async (place: Place, permissions: Permission[]) => {
    const member = await institute.member({ permissions, branchId: place.branchId })
    const world = worldAt(place)
    const own = await newFamily(world)
    await linkAccount(app, 'guardian', { id: own.guardianId, userId: member.userId })
    return { member, ...own }
  }
  const reportsOf = async (member: TestMember, studentId: string) =>
    (await member.get(`/me/attendance?from=2026-03-01&to=2026-03-31&studentId=${studentId}`)).status

  test('to another’s child is not made by who is that guardian; those who manage the members may', async () => {
    const { member, guardianId } = await behind(north, ['guardians.write', 'students.write'])
    const studentId = await pupil(north)
    expect(await member.post(`/students/${studentId}/guardians`, { ...link, guardianId })).toMatchObject(escalation)
    expect(await reportsOf(member, studentId)).toBe(404)
    const colleague = await inNorth('guardians.write')
    expect((await colleague.post(`/students/${studentId}/guardians`, { ...link, guardianId })).status).toBe(201)
    expect(await reportsOf(member, studentId)).toBe(200)
    const phone = newPhone()
    const owned = await newGuardian(worldAt(north))
    await linkAccount(app, 'guardian', { id: owned, userId: institute.ownerUserId })
    await institute.owner.patch(`/guardians/${owned}`, { phone })
    const reply = await institute.owner.post(`/students/${studentId}/guardians`, { ...link, guardianId: owned })
    expect(reply.status).toBe(201)
  })

  test('and its marks are nobody’s who does not reach the student', async () => {
    const { id, guardianId } = await newFamily(worldAt(south))
    const caller = await inNorth('guardians.write')
    expect(await caller.patch(`/students/${id}/guardians/${guardianId}`, { isPayer: true })).toMatchObject(missing)
    expect(await caller.delete(`/students/${id}/guardians/${guardianId}`)).toMatchObject(missing)
    expect(await caller.patch(`/guardians/${guardianId}`, { firstName: 'Mine' })).toMatchObject(missing)
  })
})

test('a lead is read by nobody because it was assigned to them, and assigned to members alone', async () => {
  const worker = await inNorth('leads.write')
  const { id } = (await worker.post('/leads', enquiry())).body
  const assigned = await institute.member({ permissions: ['students.read'] })
  expect((await worker.patch(`/leads/${id}`, { assignedToUserId: assigned.userId })).status).toBe(200)
  expect((await assigned.get(`/leads/${id}`)).status).toBe(403)
  const { ownerUserId: stranger } = await makeInstitute(app)
  expect(await worker.patch(`/leads/${id}`, { assignedToUserId: stranger })).toMatchObject(missing)
})

test('a key is its maker’s, whatever the body says, and holds no more than they do', async () => {
  const maker = await institute.member({ permissions: ['integration.manage', 'students.read'] })
  const { status, body } = await maker.post('/api-keys', {
    name: 'Key',
    permissions: ['students.read'],
    createdByUserId: institute.ownerUserId,
  })
  expect(status).toBe(201)
  const stored = await app.app.database.read
    .selectFrom('api_key')
    .select('created_by_user_id')
    .where('id', '=', body.id)
    .executeTakeFirstOrThrow()
  expect(stored.created_by_user_id).toBe(maker.userId)
  expect(await maker.post('/api-keys', { name: 'More', permissions: ['students.write'] })).toMatchObject(escalation)
  const { key } = await newApiKey(institute, { permissions: ['integration.manage'] })
  const more = { body: { name: 'More', permissions: ['students.read'] }, headers: { 'idempotency-key': 'reach-1' } }
  expect(await app.as(key).send('POST', '/api-keys', more)).toMatchObject(escalation)
})
