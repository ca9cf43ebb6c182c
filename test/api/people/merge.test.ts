import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { mergeStudents } from '#modules/people/merge/service.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { grant } from '#kit/grant.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { linkAccount } from '#kit/link-account.ts'
import { eventsOf } from '#kit/records.ts'
import { issuedInvoice } from '../examples/billing.ts'
import { newExam } from '../examples/exams.ts'
import { newPhone } from '../examples/people.ts'
import { newGroup, newPupil } from '../examples/sessions.ts'

let app: TestApp
let school: TestInstitute
let world: World
beforeAll(async () => {
  app = await startApp()
  school = await makeInstitute(app)
  world = worldOf(app, school)
})
afterAll(() => app.close())

const student = async (more: object = {}): Promise<string> =>
  (await school.owner.post('/students', { branchId: school.branchId, firstName: 'Dana', lastName: 'Levi', ...more }))
    .body.id

const guardian = async (more: object = {}) =>
  (await school.owner.post('/guardians', { firstName: 'Ruth', lastName: 'Levi', phone: newPhone(), ...more })).body

const link = (studentId: string, guardianId: string, isFirst = true) =>
  school.owner.post(`/students/${studentId}/guardians`, {
    guardianId,
    relationship: 'mother',
    isPrimary: isFirst,
    isPayer: isFirst,
  })

/** What is read under the id of a student. */
const OF_STUDENT = [
  'guardians',
  'enrollments',
  'attendance',
  'absences',
  'invoices',
  'statement',
  'statement/pdf',
  'exam-results',
]

const merge = (of: 'students' | 'guardians', id: string, otherId: string, dryRun = false) =>
  school.owner.post(`/${of}/${id}/merge`, { otherId, dryRun })

const read = async (path: string) => (await school.owner.get(path)).body

/** A student in a group, with a result of an exam, an invoice, a guardian and a note. */
const busy = async (more: object = {}) => {
  const groupId = await newGroup(world)
  const studentId = await newPupil(world, groupId)
  await school.owner.post(`/students/${studentId}/status`, { status: 'active' })
  await school.owner.patch(`/students/${studentId}`, more)
  const examId = await newExam(world, groupId)
  await school.owner.put(`/exams/${examId}/results`, { results: [{ studentId, score: 17 }] })
  const invoice = await issuedInvoice(world, { studentId })
  const { id: guardianId } = await guardian()
  await link(studentId, guardianId)
  return { groupId, studentId, examId, invoice, guardianId }
}

describe('POST /students/{id}/merge', () => {
  test('moves all that hangs on the other, whose numbers stay on their papers', async () => {
    const id = await student({ tags: ['bus'], phone: '0501230001' })
    const other = await busy({ tags: ['chess'], nationalId: '012345674', phone: '0501230002' })
    const { studentNumber } = await read(`/students/${other.studentId}`)
    const tried = await merge('students', id, other.studentId, true)
    const moves = [
      { what: 'enrollment', count: 1 },
      { what: 'exam_result', count: 1 },
      { what: 'guardian_link', count: 1 },
      { what: 'invoice', count: 1 },
    ]
    expect(tried.status).toBe(200)
    expect(tried.body).toMatchObject({ dryRun: true, against: [], student: null })
    expect(tried.body.moves.toSorted((a: { what: string }, b: { what: string }) => (a.what < b.what ? -1 : 1))).toEqual(
      moves,
    )
    expect((await read(`/students/${other.studentId}`)).id).toBe(other.studentId)

    const { status, body } = await merge('students', id, other.studentId)
    expect([status, body.moves]).toEqual([200, tried.body.moves])
    expect(body.student).toMatchObject({
      id,
      status: 'active',
      phone: '+972501230001',
      nationalId: '012345674',
      tags: ['bus', 'chess'],
    })
    expect((await read(`/students/${id}/enrollments`)).data).toMatchObject([{ groupId: other.groupId }])
    expect((await read(`/students/${id}/exam-results`)).data).toMatchObject([{ score: 17 }])
    expect((await read(`/students/${id}/invoices`)).data).toMatchObject([{ number: other.invoice.number }])
    expect((await read(`/students/${id}/guardians`)).data).toMatchObject([
      { guardianId: other.guardianId, isPayer: true },
    ])
    expect((await read('/students?tag=chess')).data).toMatchObject([{ id }])

    const entries = (await read(`/audit?entityType=student&entityId=${other.studentId}`)).data
    expect(entries[0]).toMatchObject({ action: 'students.merge', before: { studentNumber } })
    const types = (await eventsOf(app, school)).filter(({ data }) => data['studentId'] === id).map(({ type }) => type)
    expect(types).toEqual(expect.arrayContaining(['student.updated', 'student.status_changed']))
  })

  test('keeps the other as mergedInto: its id answers 404 with it', async () => {
    const [first, second, third] = [await student(), await student(), await student()]
    await merge('students', second, third)
    await merge('students', first, second)
    for (const id of [second, third]) {
      const replies = [
        await school.owner.get(`/students/${id}`),
        await school.owner.patch(`/students/${id}`, { notes: 'x' }),
        await school.owner.post(`/students/${id}/status`, { status: 'active' }),
        await school.owner.post(`/students/${id}/status/rehearsal`, { status: 'active' }),
        await school.owner.get(`/students/${id}/prices?month=2026-03`),
        await school.owner.get(`/students/${id}/account/pdf`),
        ...(await Promise.all(OF_STUDENT.map((part) => school.owner.get(`/students/${id}/${part}`)))),
        await school.owner.delete(`/students/${id}`),
        await merge('students', id, first),
      ]
      for (const { status, body } of replies) {
        expect([status, body.error.details]).toEqual([404, { reason: 'merged', mergedInto: first }])
      }
    }
  })

  test('tells what stands against it: two results of one exam, two open enrollments of one group', async () => {
    const one = await busy()
    const two = await newPupil(world, one.groupId)
    await school.owner.put(`/exams/${one.examId}/results`, { results: [{ studentId: two, score: 12 }] })
    const against = expect.arrayContaining([
      { what: 'enrollment', count: 1 },
      { what: 'exam_result', count: 1 },
    ])
    expect((await merge('students', one.studentId, two, true)).body.against).toEqual(against)
    const { status, body } = await merge('students', one.studentId, two)
    expect([status, body.error.details.reason, body.error.details.against]).toEqual([409, 'merge_refused', against])
    expect((await read(`/students/${two}/enrollments`)).data).toHaveLength(1)
  })

  test('with itself, and across branches out of reach, is refused by name', async () => {
    const id = await student()
    expect((await merge('students', id, id)).body.error.details.reason).toBe('merge_with_itself')
    const { body: north } = await school.owner.post('/branches', { name: 'North' })
    const far = await student({ branchId: north.id })
    const clerk = await school.member({ role: 'front_desk', branchId: school.branchId })
    const { status, body } = await clerk.post(`/students/${id}/merge`, { otherId: far })
    expect([status, body.error.details.path]).toEqual([404, ['otherId']])
    expect((await clerk.post(`/students/${far}/merge`, { otherId: id })).status).toBe(404)
  })

  test('moves an account, by whoever manages members; two accounts stand against it', async () => {
    const [id, otherId] = [await student(), await student()]
    const { userId } = await school.member({ role: 'student' })
    await linkAccount(app, 'student', { id: otherId, userId })
    const clerk = await school.member({ role: 'front_desk' })
    const refused = await clerk.post(`/students/${id}/merge`, { otherId })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'PERMISSION_ESCALATION'])
    expect((await merge('students', id, otherId)).body.student.userId).toBe(userId)
    const third = await student()
    await linkAccount(app, 'student', { id: third, userId: (await school.member({ role: 'student' })).userId })
    expect((await merge('students', id, third)).body.error.details.against).toEqual([{ what: 'account', count: 1 }])
  })

  test('gives nobody more of their own record', async () => {
    const [mine, other] = [await student(), await student()]
    const clerk = await school.member({ role: 'front_desk' })
    await linkAccount(app, 'student', { id: mine, userId: clerk.userId })
    const { status, body } = await clerk.post(`/students/${mine}/merge`, { otherId: other })
    expect([status, body.error.details.reason]).toEqual([403, 'own_account_link'])
  })

  test('counts one student where two were, also in an institute above its plan', async () => {
    const own = await makeInstitute(app)
    const made = async (more: object) =>
      (await own.owner.post('/students', { branchId: own.branchId, firstName: 'Noa', lastName: 'Katz', ...more })).body
        .id
    const [left, here] = [await made({}), await made({})]
    await made({})
    for (const [id, ...states] of [
      [left, 'active', 'withdrawn'],
      [here, 'active'],
    ]) {
      for (const status of states) await own.owner.post(`/students/${id}/status`, { status })
    }
    await grant(app, own, { quotas: { maxStudents: 1 } })
    const { status, body } = await own.owner.post(`/students/${left}/merge`, { otherId: here, dryRun: false })
    expect([status, body.student?.status]).toEqual([200, 'active'])
    const full = await own.owner.post('/students', { branchId: own.branchId, firstName: 'Gal', lastName: 'Katz' })
    expect(full.body.error.details).toMatchObject({ current: 2, limit: 1 })
  })

  test('of two who registered on the website keeps one enquiry open, and closes the other', async () => {
    const lead = async () => {
      const { body } = await school.owner.post('/leads', {
        firstName: 'Maya',
        lastName: 'Nasser',
        phone: newPhone(),
      })
      return body.id as string
    }
    const [id, otherId] = [await student(), await student()]
    const leads = [await lead(), await lead()]
    await app.app.database.write(async (db) => {
      for (const [nth, studentId] of [id, otherId].entries()) {
        const row = db.updateTable('lead').set({ student_id: studentId, unlinked_branch_id: null })
        await row.where('id', '=', leads[nth] as string).execute()
      }
    })
    expect((await merge('students', id, otherId)).status).toBe(200)
    const rows = await app.app.database.read
      .selectFrom('lead')
      .select(['student_id', 'status'])
      .where('id', 'in', leads)
      .orderBy('id')
      .execute()
    expect(rows).toEqual([
      { student_id: id, status: 'new' },
      { student_id: null, status: 'converted' },
    ])
  })

  test('is all or nothing: what no module names is refused by the database, and nothing has moved', async () => {
    const id = await student()
    const other = await busy()
    const { runtime } = app.app
    const caller = { grants: { reach: () => 'all' } } as never
    const columns = () => [{ of: 'student' as const, table: 'enrollment', column: 'student_id' }]
    const merged = runInTransaction(runtime, systemAuditContext('students.merge'), (unit) =>
      mergeStudents(unit.system().inTenant(school.tenant as never), {
        id,
        otherId: other.studentId,
        dryRun: false,
        caller,
        columns,
      }),
    )
    await expect(merged).rejects.toThrow('Other records still name this one.')
    expect((await read(`/students/${other.studentId}/enrollments`)).data).toHaveLength(1)
    expect((await read(`/students/${id}/enrollments`)).data).toEqual([])
  })
})

describe('POST /guardians/{id}/merge', () => {
  test('moves children, receipts and what is lacking', async () => {
    const [one, two] = [await guardian(), await guardian({ email: 'ruth@example.org' })]
    const [only, both] = [await student(), await student()]
    await link(only, two.id)
    await link(both, one.id, false)
    await link(both, two.id)
    const invoice = await issuedInvoice(world, { studentId: only })
    await school.owner.post(`/invoices/${invoice.id}/payments`, {
      amountMinor: 10_000,
      currency: 'ILS',
      method: 'cash',
    })
    const tried = (await merge('guardians', one.id, two.id, true)).body
    expect(tried).toMatchObject({ against: [], guardian: null })
    expect(tried.moves).toEqual(
      expect.arrayContaining([
        { what: 'guardian_link', count: 1 },
        { what: 'receipt', count: 1 },
      ]),
    )
    const { status, body } = await merge('guardians', one.id, two.id)
    expect([status, body.guardian]).toMatchObject([200, { id: one.id, phone: one.phone, email: 'ruth@example.org' }])
    expect((await read(`/students/${only}/guardians`)).data).toMatchObject([{ guardianId: one.id, isPrimary: true }])
    expect((await read(`/students/${both}/guardians`)).data).toMatchObject([
      { guardianId: one.id, isPrimary: true, isPayer: true },
    ])
    for (const reply of [
      await school.owner.get(`/guardians/${two.id}`),
      await school.owner.get(`/guardians/${two.id}/family-summary`),
      await school.owner.get(`/guardians/${two.id}/account/pdf`),
      await school.owner.patch(`/guardians/${two.id}`, { email: null }),
      await school.owner.delete(`/guardians/${two.id}`),
      await merge('guardians', two.id, one.id),
    ]) {
      expect([reply.status, reply.body.error.details]).toEqual([404, { reason: 'merged', mergedInto: one.id }])
    }
  })

  test('gives nobody their own account children, and refuses itself', async () => {
    const [mine, theirs] = [await guardian(), await guardian()]
    const clerk = await school.member({ role: 'front_desk' })
    await linkAccount(app, 'guardian', { id: mine.id, userId: clerk.userId })
    const { status, body } = await clerk.post(`/guardians/${mine.id}/merge`, { otherId: theirs.id })
    expect([status, body.error.details.reason]).toEqual([403, 'own_account_link'])
    const itself = await merge('guardians', mine.id, mine.id)
    expect([itself.status, itself.body.error.details.reason]).toEqual([409, 'merge_with_itself'])
    const other = await guardian()
    await linkAccount(app, 'guardian', { id: other.id, userId: (await school.member({ role: 'guardian' })).userId })
    expect((await merge('guardians', mine.id, other.id)).body.error.details.against).toEqual([
      { what: 'account', count: 1 },
    ])
    const escalated = await clerk.post(`/guardians/${theirs.id}/merge`, { otherId: other.id })
    expect([escalated.status, escalated.body.error.code]).toEqual([403, 'PERMISSION_ESCALATION'])
  })
})

test('every table that names a student or a guardian says so, or goes with them', async () => {
  const { schema, engine } = app.app.database
  const { rows } = await (
    engine === 'sqlite'
      ? sql<{ table: string; column: string; of: string }>`
        select m.name as "table", f."from" as "column", f."table" as "of" from sqlite_schema m, pragma_foreign_key_list(m.name) f
        where m.type = 'table' and f."table" in ('student', 'guardian') and f."from" <> 'tenant_id'`
      : sql<{ table: string; column: string; of: string }>`
        select distinct c.conrelid::regclass::text as "table", a.attname as "column", c.confrelid::regclass::text as "of"
        from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
        where c.contype = 'f' and c.confrelid in ('student'::regclass, 'guardian'::regclass) and a.attname <> 'tenant_id'`
  ).execute(schema)
  const named = app.app.modules.flatMap(({ persons = [] }) => persons)
  const missing = rows.filter(
    ({ table, column, of }) => !named.some((one) => one.of === of && one.table === table && one.column === column),
  )
  // Tags are taken from the record itself.
  expect(missing).toEqual([{ table: 'student_tag', column: 'student_id', of: 'student' }])
})
