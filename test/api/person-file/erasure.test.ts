import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KEPT, type PersonKind } from '#app/person-file/kept.ts'
import { ERASING } from '#app/erasure/erasing.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { stored } from '#kit/files.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { linkAccount } from '#kit/link-account.ts'
import { eventsOf } from '#kit/records.ts'
import { newPhone } from '../examples/people.ts'
import { create } from '../examples/sessions.ts'
import { letGo, makeFullFamily, placesOf, type FullFamily } from './full-person.ts'

/** Where names stay: papers as they were handed out, and the index by which receipts are found. */
const IN_BOOKS = [
  'invoice.kept',
  'receipt.kept',
  'receipt.payer_name',
  'receipt.search_text',
  'receipt.students',
  'receipt_payment.search_text',
]

let app: TestApp
let school: TestInstitute
let world: World
beforeAll(async () => {
  app = await startApp()
  school = await makeInstitute(app)
  world = worldOf(app, school)
})
afterAll(() => app.close())

const erase = (kind: PersonKind, id: string) => school.owner.post(`/${kind}s/${id}/erase`)
const plan = async (kind: PersonKind, id: string) => (await school.owner.get(`/${kind}s/${id}/erasure`)).body

/** Without the tables in which SQLite keeps its index. */
const isTable = (place: string): boolean => !/_search(?:_\w+)?\./.test(place)

describe('a person of whom something is kept everywhere', () => {
  let family: FullFamily
  let others: FullFamily
  let elsewhere: FullFamily
  let before: Record<'others' | 'elsewhere', string[]>
  beforeAll(async () => {
    family = await makeFullFamily(world, 'plantedown')
    others = await makeFullFamily(world, 'plantedother')
    const institute = await makeInstitute(app)
    elsewhere = await makeFullFamily(worldOf(app, institute), 'plantedaway')
    before = { others: await placesOf(app, others.word), elsewhere: await placesOf(app, elsewhere.word) }
    await letGo(world, family)
  })

  test('is asked about first: what goes, what stays, which papers keep the name', async () => {
    expect(await plan('student', family.studentId)).toEqual({
      name: 'plantedown Levi',
      erasedAt: null,
      against: [],
      goes: expect.arrayContaining([
        { what: 'file', count: 2 },
        { what: 'lead', count: 1 },
        { what: 'progress_report', count: 1 },
      ]),
      stays: [
        { what: 'enrollment', count: 1 },
        { what: 'attendance', count: 1 },
        { what: 'exam_result', count: 1 },
      ],
      papers: [
        { what: 'invoice', count: 1 },
        { what: 'receipt', count: 1 },
      ],
      account: 'erased',
    })
    expect(await plan('guardian', family.guardianId)).toMatchObject({ against: [], stays: [], account: 'erased' })
  })

  test('stands in the books alone afterwards, and files of theirs are gone', async () => {
    const { word } = family
    const files = (await stored(app)).length
    const erased = [await erase('guardian', family.guardianId), await erase('student', family.studentId)]
    expect(erased.map(({ status }) => status)).toEqual([200, 200])
    await app.drain()
    expect((await placesOf(app, word)).filter(isTable)).toEqual(IN_BOOKS)
    expect(await stored(app)).toHaveLength(files - 3)
    for (const path of ['students', 'guardians', 'leads']) {
      expect((await school.owner.get(`/${path}?q=${word}`)).body.data, path).toEqual([])
    }
    const found = (await school.owner.get(`/search?q=${word}`)).body.results
    expect(found.filter(({ type }: { type: string }) => type !== 'receipt' && type !== 'invoice')).toEqual([])
  })

  test('leaves a record without a name, which says when', async () => {
    const { owner } = school
    const student = (await owner.get(`/students/${family.studentId}`)).body
    expect(student).toMatchObject({
      firstName: 'Erased',
      lastName: expect.stringMatching(/^\d+$/),
      status: 'withdrawn',
      email: null,
      phone: null,
      birthDate: null,
      gender: null,
      address: null,
      tags: [],
      notes: null,
      userId: null,
      erasedAt: app.clock.now(),
    })
    const guardian = (await owner.get(`/guardians/${family.guardianId}`)).body
    expect(guardian).toMatchObject({ firstName: 'Erased', phone: null, email: null, userId: null })
    expect(guardian.lastName).not.toBe(student.lastName)
    expect((await owner.get(`/students/${family.studentId}/attendance`)).body.data).toMatchObject([
      { status: 'absent', note: null },
    ])
    expect((await owner.get(`/students/${family.studentId}/exam-results`)).body.data).toMatchObject([{ score: 17 }])
    expect((await owner.get(`/students/${family.studentId}/invoices`)).body.data).toMatchObject([
      { status: 'paid', total: { amountMinor: 12_345 } },
    ])
  })

  test('cannot sign in any more, and their address is free', async () => {
    const accounts = await app.app.database.read
      .selectFrom('user')
      .select(['id', 'email', 'full_name', 'status', 'password_hash', 'phone'])
      .where('id', 'in', [family.studentUserId, family.guardianUserId])
      .execute()
    expect(accounts).toHaveLength(2)
    for (const { id, full_name: name, ...account } of accounts) {
      expect(account).toEqual({ email: `${id}@erased.invalid`, status: 'disabled', password_hash: null, phone: null })
      expect(name).toMatch(/^Erased \d+$/)
    }
    const live = app.app.database.read
      .selectFrom('auth_session')
      .select('id')
      .where('user_id', 'in', [family.studentUserId, family.guardianUserId])
      .where('revoked_at', 'is', null)
    expect(await live.execute()).toEqual([])
  })

  test('is told to other programs without what was there before', async () => {
    const events = await eventsOf(app, school)
    const ofStudent = events.filter(({ data }) => data['studentId'] === family.studentId)
    const last = ofStudent.findLast(({ type }) => type === 'student.updated')
    expect(last?.data['changes']).toMatchObject({
      firstName: [null, 'Erased'],
      phone: [null, null],
      erasedAt: [null, app.clock.now()],
    })
    expect(ofStudent.map(({ type }) => type)).toContain('student.created')
  })

  test('has one entry in the log that says who did it, and older ones say that they were emptied', async () => {
    const { data } = (await school.owner.get(`/audit?entityType=student&entityId=${family.studentId}`)).body
    const [entry] = data
    expect(entry).toMatchObject({
      action: 'students.erase',
      actorUserId: school.ownerUserId,
      before: null,
      after: null,
    })
    const created = data.find(({ action }: { action: string }) => action === 'students.create')
    expect(created).toMatchObject({ after: { firstName: null, notes: null }, metadata: { erased: true } })
  })

  test('is erased once: a second time answers the first', async () => {
    const first = (await school.owner.get(`/students/${family.studentId}`)).body
    app.clock.advance(60)
    const again = await erase('student', family.studentId)
    expect([again.status, again.body]).toEqual([200, { id: family.studentId, erasedAt: first.erasedAt }])
    expect((await school.owner.get(`/students/${family.studentId}`)).body).toEqual(first)
  })

  test('takes nothing from anybody else, nor from another institute', async () => {
    expect(await placesOf(app, others.word)).toEqual(before.others)
    expect(await placesOf(app, elsewhere.word)).toEqual(before.elsewhere)
  })
})

describe('what stands in the way', () => {
  test('of a student is told and refuses, until it is seen to', async () => {
    const { owner } = school
    const { studentId } = await makeFullFamily(world, 'plantedbusy')
    const lines = [{ description: 'April', unitAmountMinor: 5000 }]
    const draft = { studentId, dueDate: '2030-01-31', lines }
    const invoiceId = await create(world, '/invoices', draft)
    await create(world, '/invoices', draft)
    await owner.post(`/invoices/${invoiceId}/issue`)
    const against = [
      { reason: 'active', count: 1 },
      { reason: 'enrolled', count: 1 },
      { reason: 'draft', count: 1 },
      { reason: 'debt', count: 1 },
    ]
    expect((await plan('student', studentId)).against).toEqual(against)
    const refused = await erase('student', studentId)
    expect([refused.status, refused.body.error.details]).toEqual([409, { reason: 'erasure_refused', against }])
    expect((await owner.get(`/students/${studentId}`)).body).toMatchObject({ firstName: 'plantedbusy', erasedAt: null })
  })

  test('of a guardian is an active child whom nobody else answers for', async () => {
    const { guardianId } = await makeFullFamily(world, 'plantedsole')
    const refused = await erase('guardian', guardianId)
    expect([refused.status, refused.body.error.details.against]).toEqual([
      409,
      [
        { reason: 'payer', count: 1 },
        { reason: 'only_guardian', count: 1 },
      ],
    ])
  })
})

test.each([false, true])('of an invitation nothing is left, accepted: %s', async (isAccepted) => {
  const email = `plantedinvited${isAccepted}@example.org`
  const { branchId, owner } = school
  const id = await create(world, '/students', { branchId, firstName: 'Dana', lastName: 'Levi' })
  const { link } = (await owner.post(`/students/${id}/invite`, { email })).body
  if (isAccepted) {
    const token = new URL(link).searchParams.get('token')
    const accepted = await app.post('/invitations/accept', {
      token,
      password: 'a long enough password',
      fullName: 'Dana Levi',
    })
    expect(accepted.status, JSON.stringify(accepted.body)).toBe(200)
    expect((await owner.get(`/students/${id}`)).body.userId).not.toBeNull()
  }
  await app.drain()
  expect((await erase('student', id)).status).toBe(200)
  await app.drain()
  expect(await placesOf(app, `plantedinvited${isAccepted}`)).toEqual([])
})

test('an account to which an invitation went, and which is somebody’s already, stays', async () => {
  const id = await create(world, '/students', { branchId: school.branchId, firstName: 'Dana', lastName: 'Levi' })
  const elsewhere = await makeInstitute(app)
  const { userId } = await elsewhere.member({ role: 'teacher' })
  const user = app.app.database.read.selectFrom('user').select(['email', 'status']).where('id', '=', userId)
  const before = await user.executeTakeFirstOrThrow()
  await create(world, `/students/${id}/invite`, { email: before.email })
  expect((await erase('student', id)).status).toBe(200)
  await app.drain()
  expect(await user.executeTakeFirstOrThrow()).toEqual(before)
})

test('an account that is also somebody’s of the staff is taken off, and goes on', async () => {
  const teacher = await school.member({ role: 'teacher' })
  const id = await create(world, '/guardians', { firstName: 'Ruth', lastName: 'Levi', phone: newPhone() })
  await linkAccount(app, 'guardian', { id, userId: teacher.userId })
  expect((await plan('guardian', id)).account).toBe('taken_off')
  expect((await erase('guardian', id)).status).toBe(200)
  await app.drain()
  expect((await teacher.get('/me')).body).toMatchObject({ status: 'active' })
})

test('an account that another institute knows too stays, and is a member there alone', async () => {
  const elsewhere = await makeInstitute(app)
  const { userId, membershipId } = await school.member({ role: 'guardian' })
  const id = await create(world, '/guardians', { firstName: 'Ruth', lastName: 'Levi', phone: newPhone() })
  await linkAccount(app, 'guardian', { id, userId })
  const at = app.clock.now()
  const membership = { id: crypto.randomUUID(), tenant_id: elsewhere.tenant.id, user_id: userId, status: 'active' }
  await app.app.database.write((db) =>
    db
      .insertInto('membership')
      .values({ ...membership, joined_at: at, created_at: at, updated_at: at } as never)
      .execute(),
  )
  expect((await erase('guardian', id)).status).toBe(200)
  await app.drain()
  const { read } = app.app.database
  const user = read.selectFrom('user').select(['status', 'full_name']).where('id', '=', userId)
  expect(await user.executeTakeFirst()).toEqual({ status: 'active', full_name: 'Test User' })
  const left = await read.selectFrom('membership').select('id').where('user_id', '=', userId).execute()
  expect(left.map((row) => row.id)).toEqual([membership.id])
  expect(membershipId).not.toBe(membership.id)
})

test('a lead becomes withdrawn, and makes room in the plan', async () => {
  const id = await create(world, '/students', { branchId: school.branchId, firstName: 'Dana', lastName: 'Levi' })
  const used = async () =>
    (await school.owner.get('/plan')).body.limits.find((one: { name: string }) => one.name === 'maxStudents')?.used
  const before = await used()
  expect((await erase('student', id)).status).toBe(200)
  expect((await school.owner.get(`/students/${id}`)).body.status).toBe('withdrawn')
  expect(before === undefined ? undefined : before - 1).toBe(await used())
})

test('only the owner asks and erases, in this institute alone', async () => {
  const id = await create(world, '/students', { branchId: school.branchId, firstName: 'Dana', lastName: 'Levi' })
  const admin = await school.member({ role: 'admin' })
  const elsewhere = await makeInstitute(app)
  expect((await admin.get(`/students/${id}/erasure`)).status).toBe(403)
  expect((await admin.post(`/students/${id}/erase`)).status).toBe(403)
  expect((await elsewhere.owner.get(`/students/${id}/erasure`)).status).toBe(404)
  expect((await elsewhere.owner.post(`/students/${id}/erase`)).status).toBe(404)
})

test('of somebody who was merged there is the one into whom they were', async () => {
  const { owner, branchId } = school
  const student = () => create(world, '/students', { branchId, firstName: 'Dana', lastName: 'Levi' })
  const guardian = () => create(world, '/guardians', { firstName: 'Rina', lastName: 'Levi', phone: newPhone() })
  for (const [kind, make] of [
    ['student', student],
    ['guardian', guardian],
  ] as const) {
    const [id, otherId] = [await make(), await make()]
    expect((await owner.post(`/${kind}s/${id}/merge`, { otherId })).status).toBe(200)
    const asked = [await owner.get(`/${kind}s/${otherId}/erasure`), await erase(kind, otherId)]
    for (const { body } of asked) expect(body.error.details).toMatchObject({ reason: 'merged', mergedInto: id })
  }
})

describe('the list of what an erasure does', () => {
  test('has every table of the list of what is kept', () => {
    for (const kind of ['student', 'guardian'] as const) {
      const kept = new Set(KEPT[kind].map(({ table }) => table))
      expect(Object.keys(ERASING[kind]).toSorted(), kind).toEqual([...kept].toSorted())
    }
  })

  test('says of each column with words, in rows that stay, whether it is emptied', async () => {
    const tables = await app.app.database.schema.introspection.getTables()
    const undecided: string[] = []
    for (const erasing of Object.values(ERASING)) {
      for (const [name, one] of Object.entries(erasing)) {
        if (typeof one !== 'object') continue
        const table = tables.find((other) => other.name === name)
        const decided = [...Object.keys(one.emptied), ...one.stays]
        const words = (table?.columns ?? []).filter(
          ({ name: column, dataType }) => /text|json/i.test(dataType) && !/(?:^|_)(?:id|at)$/.test(column),
        )
        undecided.push(
          ...words
            .map((column) => column.name)
            .filter((column) => !decided.includes(column))
            .map((column) => `${name}.${column}`),
        )
      }
    }
    expect(undecided).toEqual([])
  })
})
