import type { TestApp } from '#kit/app.ts'
import type { World } from '#kit/examples.ts'
import { png, uploaded } from '#kit/files.ts'
import { linkAccount } from '#kit/link-account.ts'
import { newExam } from '../examples/exams.ts'
import { newPhone } from '../examples/people.ts'
import { create, newGroup, newSession } from '../examples/sessions.ts'

/** A family of which something is kept in as many places as there are, and where its words are found. */

export interface FullFamily {
  /** Stands in all that people wrote of it. */
  word: string
  studentId: string
  guardianId: string
  studentUserId: string
  guardianUserId: string
  enrollmentId: string
}

const done = async (reply: Promise<{ status: number; body: unknown }>): Promise<void> => {
  const { status, body } = await reply
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
}

/** An import that has ended, with rows that were refused, which are shown as they would stand too. */
export const addImport = async ({ app, institute }: World, rows: readonly (readonly string[])[]): Promise<void> => {
  const id = crypto.randomUUID()
  const at = app.clock.now()
  const values = (cells: readonly string[]) => Object.fromEntries(cells.map((cell, place) => [`field${place}`, cell]))
  await app.app.database.write(async (db) => {
    await db
      .insertInto('import')
      .values({
        id,
        tenant_id: institute.tenant.id,
        kind: 'students',
        mode: 'by_row',
        is_dry_run: false,
        known_phone: 'refuse',
        branch_id: null,
        status: 'done',
        source_name: 'students.csv',
        object_name: crypto.randomUUID(),
        mime_type: 'text/csv',
        given_mapping: null,
        columns: ['Name'],
        mapping: {},
        row_count: rows.length,
        content: null,
        pass: 'write',
        position: rows.length,
        readers_ended: 0,
        checked: 0,
        created: 0,
        updated: 0,
        unchanged: 0,
        refused: rows.length,
        errors: [],
        preview: rows.map((cells, place) => ({
          row: place + 2,
          outcome: 'refused',
          values: values(cells),
          before: {},
          known: [],
        })),
        told: [],
        kept_bytes: 80,
        asker: { actor: { type: 'system' }, channel: 'web', requestId: null, ip: null },
        requested_by_user_id: null,
        finished_at: at,
        created_at: at,
        updated_at: at,
      } as never)
      .execute()
    await db
      .insertInto('import_refusal')
      .values(
        rows.map((cells, row) => ({
          tenant_id: institute.tenant.id,
          import_id: id,
          line: row + 2,
          cells,
          reasons: [],
        })) as never,
      )
      .execute()
  })
}

/** Names the accounts, which tests make by themselves, and gives them what devices leave behind. */
const nameAccount = async ({ app }: World, userId: string, name: string): Promise<void> => {
  await app.app.database.write(async (db) => {
    await db
      .updateTable('user')
      .set({ full_name: name, email: `${name}@example.org`, email_key: `${name}@example.org`, phone: '+972500000000' })
      .where('id', '=', userId)
      .execute()
    await db.updateTable('auth_session').set({ user_agent: name }).where('user_id', '=', userId).execute()
  })
}

/** @param word distinctive, in small letters */
export const makeFullFamily = async (world: World, word: string): Promise<FullFamily> => {
  const { owner, branchId, institute, app } = world
  const address = { line1: `${word}-street`, city: `${word}-city` }
  const studentId = await create(world, '/students', {
    branchId,
    firstName: word,
    lastName: 'Levi',
    email: `${word}@example.org`,
    phone: newPhone(),
    birthDate: '2015-02-03',
    gender: 'female',
    address,
    notes: `${word}-note`,
    tags: [`${word}-tag`],
  })
  const guardianId = await create(world, '/guardians', {
    firstName: `${word}-parent`,
    lastName: 'Levi',
    phone: newPhone(),
    email: `${word}-parent@example.org`,
    address,
  })
  // The reply is kept for a day, for who sends it again.
  const keyed = { body: { notes: `${word}-note` }, headers: { 'Idempotency-Key': crypto.randomUUID() } }
  await done(owner.send('PATCH', `/students/${studentId}`, keyed))
  const link = { guardianId, relationship: 'mother', isPrimary: true, isPayer: true }
  await done(owner.post(`/students/${studentId}/guardians`, link))
  const [student, guardian] = [
    await institute.member({ role: 'student' }),
    await institute.member({ role: 'guardian' }),
  ]
  await nameAccount(world, student.userId, `${word}-account`)
  await nameAccount(world, guardian.userId, `${word}-parent-account`)
  // What they change of their account stands in the log of the server.
  for (const [member, name] of [
    [student, `${word}-me`],
    [guardian, `${word}-parent-me`],
  ] as const) {
    await done(member.patch('/me', { fullName: name }))
  }
  await linkAccount(app, 'student', { id: studentId, userId: student.userId })
  await linkAccount(app, 'guardian', { id: guardianId, userId: guardian.userId })
  // A twin of each, whose record is kept with what it said.
  const twin = await create(world, '/students', { branchId, firstName: `${word}-twin`, lastName: 'Levi' })
  await done(owner.post(`/students/${studentId}/merge`, { otherId: twin }))
  const double = await create(world, '/guardians', { firstName: `${word}-double`, lastName: 'Levi', phone: newPhone() })
  await done(owner.post(`/guardians/${guardianId}/merge`, { otherId: double }))

  const groupId = await newGroup(world)
  const enrollmentId = await create(world, '/enrollments', { studentId, groupId })
  await done(owner.post(`/students/${studentId}/status`, { status: 'active', reason: `${word}-began` }))
  const session = await newSession(world, groupId)
  const mark = { studentId, status: 'absent', note: `${word}-absent` }
  await done(owner.put(`/sessions/${session}/attendance`, { entries: [mark] }))
  const absence = { from: '2026-03-09', to: '2026-03-10', reason: `${word}-wedding` }
  await done(owner.post(`/students/${studentId}/absences`, absence))
  const examId = await newExam(world, groupId)
  const result = { studentId, score: 17, remarks: `${word}-remark` }
  await done(owner.put(`/exams/${examId}/results`, { results: [result] }))
  const period = { periodStart: '2026-03-01', periodEnd: '2026-03-31' }
  const reportId = await create(world, '/progress-reports', {
    studentId,
    groupId,
    ...period,
    comment: `${word}-report`,
  })
  const discount = { kind: 'percent', value: 10, validFrom: '2026-03-01' }
  await create(world, '/discounts', { ...discount, studentId, label: `${word}-discount` })
  await create(world, '/discounts', { ...discount, guardianId, label: `${word}-parent-discount` })
  await done(
    guardian.post('/me/proposed-changes', {
      studentId,
      changes: { lastName: `${word}-proposed` },
      note: `${word}-why`,
    }),
  )
  for (const [entityType, entityId] of [
    ['student', studentId],
    ['guardian', guardianId],
    ['progress_report', reportId],
  ] as const) {
    const bytes = png(`${word}-${entityType}`)
    await done(uploaded(app, owner, { originalName: `${word}-${entityType}.png`, entityType, entityId, bytes }))
  }
  const text = {
    templateKey: 'message',
    channels: ['in_app', 'email'],
    data: { title: `${word}-title`, message: `${word}-body` },
  }
  await done(
    owner.post('/notifications/send', { ...text, recipients: { studentIds: [studentId], guardianIds: [guardianId] } }),
  )
  const enquiry = { firstName: `${word}-lead`, lastName: 'Levi', phone: newPhone(), message: `${word}-asks` }
  const leadId = await create(world, '/leads', {
    ...enquiry,
    guardian: { firstName: `${word}-parent`, lastName: 'Levi', phone: newPhone() },
  })
  await app.app.database.write((db) =>
    db
      .updateTable('lead')
      .set({ student_id: studentId, guardian_id: guardianId, unlinked_branch_id: null })
      .where('id', '=', leadId)
      .execute(),
  )
  await addImport(world, [[word, 'Levi', `${word}@example.org`]])

  // An invoice that is paid: it stays, with its papers.
  const lines = [{ description: 'March', unitAmountMinor: 12_345 }]
  const invoiceId = await create(world, '/invoices', { studentId, dueDate: '2030-01-31', lines })
  await done(owner.post(`/invoices/${invoiceId}/issue`))
  const payment = { amountMinor: 12_345, currency: 'ILS', method: 'cash' }
  await create(world, `/invoices/${invoiceId}/payments`, payment)
  await app.drain()
  return {
    word,
    studentId,
    guardianId,
    studentUserId: student.userId,
    guardianUserId: guardian.userId,
    enrollmentId,
  }
}

/** Ends what stands in the way of erasing the student of such a family. */
export const letGo = async ({ owner }: World, { studentId, word }: FullFamily): Promise<void> => {
  await done(owner.post(`/students/${studentId}/status`, { status: 'withdrawn', reason: `${word}-left` }))
}

/** Where a word stands in the database, as table.column, each once. */
export const placesOf = async ({ app }: TestApp, word: string): Promise<string[]> => {
  const { database } = app
  const found = new Set<string>()
  for (const { name } of await database.schema.introspection.getTables()) {
    for (const row of await database.read
      .selectFrom(name as 'user')
      .selectAll()
      .execute()) {
      for (const [column, value] of Object.entries(row)) {
        const text = JSON.stringify(value) ?? ''
        if (text.toLowerCase().includes(word)) found.add(`${name}.${column}`)
      }
    }
  }
  return [...found].toSorted()
}
