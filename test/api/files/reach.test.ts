import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { grant } from '#kit/grant.ts'
import { announced, local, png, stored, upload, uploaded } from '#kit/files.ts'
import { linkAccount } from '#kit/link-account.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { auditOf } from '#kit/records.ts'
import { newExam } from '../examples/exams.ts'
import { newReport } from '../examples/progress-reports.ts'
import { newSession } from '../examples/sessions.ts'
import { newGroup } from '../examples/academics.ts'
import { newFamily, newGuardian, newStaff, newStudent } from '../examples/people.ts'

let app: TestApp
let school: TestInstitute
let world: World
let north: string
beforeAll(async () => {
  app = await startApp({ config: { ...NO_LIMITS, accessTokenSeconds: 86_400 } })
  school = await makeInstitute(app)
  world = worldOf(app, school)
  north = (await school.owner.post('/branches', { name: 'North' })).body.id
})
afterAll(() => app.close())

const FORBIDDEN = { status: 403, body: { error: { code: 'FORBIDDEN' } } }
const MISSING = { status: 404, body: { error: { code: 'NOT_FOUND' } } }
const issueAt = (...path: string[]) => ({
  status: 422,
  body: { error: { code: 'VALIDATION_ERROR', details: { issues: [{ path }] } } },
})

const attach = async (entityType: string, entityId: string, client: Client = school.owner): Promise<string> =>
  (await uploaded(app, client, { entityType, entityId })).body.id

describe('the record that a file is attached to', () => {
  test.each<[type: string, make: () => Promise<string>]>([
    ['student', () => newStudent(world)],
    ['guardian', () => newGuardian(world)],
    ['staff', () => newStaff(world)],
    ['group', () => newGroup(world)],
    ['progress_report', () => newReport(world)],
    ['session', () => newSession(school)],
    ['exam', () => newExam(school)],
    ['branch', async () => north],
    ['course', async () => (await school.owner.get(`/groups/${await newGroup(world)}`)).body.courseId],
    ['user', async () => school.ownerUserId],
  ])('can be a %s of the institute', async (entityType, make) => {
    const entityId = await make()
    expect(await uploaded(app, school.owner, { entityType, entityId })).toMatchObject({
      status: 201,
      body: { entityType, entityId },
    })
    expect(await uploaded(app, school.owner, { entityType, entityId: newId() })).toMatchObject(MISSING)
  })

  test('is one known type and one id, or nothing', async () => {
    const completion = await upload(app, school.owner, png())
    const complete = (more: object) => school.owner.post('/files/complete', { ...completion, ...more })
    const id = await newStudent(world)
    expect(await complete({ entityType: 'student' })).toMatchObject(issueAt('entityId'))
    expect(await complete({ entityId: id })).toMatchObject(issueAt('entityType'))
    expect(await complete({ entityType: 'guardian', entityId: id })).toMatchObject(MISSING)
    expect(await complete({})).toMatchObject({ status: 201, body: { entityType: null, entityId: null } })
  })

  test('cannot be deleted while files are attached to it', async () => {
    const id = await newStudent(world)
    const file = await attach('student', id)
    expect(await school.owner.delete(`/students/${id}`)).toMatchObject({ status: 409 })
    expect((await school.owner.delete(`/files/${file}`)).status).toBe(200)
    expect((await school.owner.delete(`/students/${id}`)).status).toBe(200)
  })
})

describe('under a role for one branch', () => {
  let manager: TestMember
  beforeAll(async () => {
    manager = await school.member({ permissions: ['files.write', 'students.write'], branchId: north })
  })

  test('a file follows its student', async () => {
    const [here, there] = [await newStudent(world), await newStudent({ ...world, branchId: north })]
    const [out, within] = [await attach('student', here), await attach('student', there)]
    expect(await manager.get(`/files/${out}`)).toMatchObject(MISSING)
    expect(await manager.delete(`/files/${out}`)).toMatchObject(MISSING)
    expect((await manager.get(`/files/${within}`)).status).toBe(200)
    await school.owner.patch(`/students/${here}`, { branchId: north })
    expect((await manager.get(`/files/${out}`)).status).toBe(200)
    expect((await manager.delete(`/files/${out}`)).status).toBe(200)
  })

  test('a file can be attached to, and replace one of, records within reach only', async () => {
    const [here, there] = [await newStudent(world), await newStudent({ ...world, branchId: north })]
    expect(await uploaded(app, manager, { entityType: 'student', entityId: here })).toMatchObject(MISSING)
    const own = await attach('student', there, manager)
    expect(await uploaded(app, manager, { fileId: await attach('student', here) })).toMatchObject(MISSING)
    expect((await uploaded(app, manager, { fileId: own })).status).toBe(201)
  })

  test('a file without a branch is reached from its uploader’s branch, and not from another', async () => {
    const { id } = (await uploaded(app, manager)).body
    expect((await manager.get(`/files/${id}`)).status).toBe(200)
    const other = await school.member({ permissions: ['files.write'], branchId: school.branchId })
    expect(await other.get(`/files/${id}`)).toMatchObject(MISSING)
    expect(await manager.get(`/files/${(await uploaded(app, school.owner)).body.id}`)).toMatchObject(MISSING)
    const student = await newStudent({ ...world, branchId: north })
    expect((await uploaded(app, manager, { fileId: id, entityType: 'student', entityId: student })).body).toMatchObject(
      {
        id,
        entityId: student,
      },
    )
    await school.owner.patch(`/students/${student}`, { branchId: school.branchId })
    expect(await manager.get(`/files/${id}`)).toMatchObject(MISSING)
  })
})

describe('without a permission', () => {
  /** Signs in a user whose account is linked to a record, as after an accepted invitation. */
  const behind = async (table: 'student' | 'guardian', id: string): Promise<TestMember> => {
    const member = await school.member({ role: table })
    await linkAccount(app, table, { id, userId: member.userId })
    return member
  }

  test('students and guardians read the files of their own student, and change none of them', async () => {
    const family = await newFamily(world)
    const [student, guardian] = [await behind('student', family.id), await behind('guardian', family.guardianId)]
    const [own, foreign] = [await attach('student', family.id), await attach('student', await newStudent(world))]
    for (const one of [student, guardian]) {
      const { status, body } = await one.get(`/files/${own}`)
      expect(status).toBe(200)
      expect((await app.get(local(body.downloadUrl))).status).toBe(200)
      for (const refused of [foreign, newId(), await attach('guardian', family.guardianId)]) {
        expect(await one.get(`/files/${refused}`)).toMatchObject(FORBIDDEN)
      }
      expect(await one.delete(`/files/${own}`)).toMatchObject(FORBIDDEN)
      expect(await one.post('/files/upload-url', announced(png()))).toMatchObject(FORBIDDEN)
    }
    await school.owner.delete(`/students/${family.id}/guardians/${family.guardianId}`)
    expect(await guardian.get(`/files/${own}`)).toMatchObject(FORBIDDEN)
  })

  test('the files of a progress report are the family’s to read once it was sent', async () => {
    const family = await newFamily(world)
    const [student, guardian] = [await behind('student', family.id), await behind('guardian', family.guardianId)]
    const reportId = await newReport(world, { studentId: family.id })
    const [own, foreign] = [
      await attach('progress_report', reportId),
      await attach('progress_report', await newReport(world)),
    ]
    for (const one of [student, guardian]) expect(await one.get(`/files/${own}`)).toMatchObject(FORBIDDEN)
    await school.owner.post(`/progress-reports/${reportId}/send`)
    for (const one of [student, guardian]) {
      expect((await one.get(`/files/${own}`)).status).toBe(200)
      expect(await one.get(`/files/${foreign}`)).toMatchObject(FORBIDDEN)
      expect(await one.delete(`/files/${own}`)).toMatchObject(FORBIDDEN)
    }
  })

  test('files.read reads and changes nothing; a teacher’s reach does not include files', async () => {
    const id = await attach('student', await newStudent(world))
    const reader = await school.member({ permissions: ['files.read'] })
    expect((await reader.get(`/files/${id}`)).status).toBe(200)
    expect(await reader.delete(`/files/${id}`)).toMatchObject(FORBIDDEN)
    expect(await reader.post('/files/upload-url', announced(png()))).toMatchObject(FORBIDDEN)
    const teacher = await school.member({ role: 'teacher' })
    expect(await teacher.get(`/files/${id}`)).toMatchObject(FORBIDDEN)
  })

  const avatar = { kind: 'avatar', originalName: 'me.png' }

  test('everybody uploads, sets, reads and replaces their own avatar', async () => {
    const member = await school.member({ role: 'student' })
    const { status, body } = await uploaded(app, member, avatar)
    expect(status).toBe(201)
    expect((await member.patch('/me', { avatarFileId: body.id })).body).toMatchObject({ avatarFileId: body.id })
    expect((await member.get(`/files/${body.id}`)).status).toBe(200)
    const replaced = await uploaded(app, member, { ...avatar, fileId: body.id, bytes: png('new me') })
    expect(replaced).toMatchObject({ status: 201, body: { id: body.id } })
    expect(replaced.body.sha256).not.toBe(body.sha256)
    const other = await school.member({ role: 'student' })
    for (const refused of [await other.get(`/files/${body.id}`), await other.delete(`/files/${body.id}`)]) {
      expect(refused).toMatchObject(FORBIDDEN)
    }
    expect(await uploaded(app, other, { ...avatar, fileId: body.id })).toMatchObject(FORBIDDEN)
    expect(await other.patch('/me', { avatarFileId: body.id })).toMatchObject(MISSING)
  })

  test('an avatar is attached to no record, and nobody completes another user’s', async () => {
    const [member, other] = [await school.member({ role: 'student' }), await school.member({ role: 'student' })]
    const entityId = await newStudent(world)
    expect((await uploaded(app, member, { ...avatar, entityType: 'student', entityId })).status).toBe(404)
    const completion = await upload(app, member, png(), avatar)
    expect(await other.post('/files/complete', completion)).toMatchObject(FORBIDDEN)
    expect(await member.post('/files/complete', { ...completion, kind: 'document' })).toMatchObject(FORBIDDEN)
    const { body } = await member.post('/files/complete', completion)
    expect(await member.post('/files/complete', completion)).toMatchObject({
      status: 409,
      body: { error: { details: { fileId: body.id } } },
    })
    expect(await other.post('/files/complete', completion)).toMatchObject(FORBIDDEN)
  })

  test('a caller without files.write has at most one upload, and one avatar beside the one in use', async () => {
    const member = await school.member({ role: 'guardian' })
    const used = (await uploaded(app, member, avatar)).body.id
    await member.patch('/me', { avatarFileId: used })
    const [early, late] = [
      await upload(app, member, png('early'), avatar),
      await upload(app, member, png('late'), avatar),
    ]
    expect(await member.post('/files/complete', early)).toMatchObject(FORBIDDEN)
    const second = (await member.post('/files/complete', late)).body.id
    const third = (await uploaded(app, member, avatar)).body.id
    const found = await Promise.all([used, second, third].map(async (id) => (await member.get(`/files/${id}`)).status))
    expect(found).toEqual([200, 403, 200])
    await app.drain()
    expect((await stored(app)).join()).not.toContain(early.storageKey)
  })
})

describe('a picture that is in use', () => {
  const avatar = { kind: 'avatar', originalName: 'me.png' }

  test('as an avatar must be the user’s own picture, of the active institute', async () => {
    const { owner } = school
    const foreign = await makeInstitute(app)
    const { id: theirs } = (await uploaded(app, foreign.owner, avatar)).body
    const { id: document } = (await uploaded(app, owner)).body
    for (const refused of [theirs, document, newId()]) {
      expect(await owner.patch('/me', { avatarFileId: refused })).toMatchObject(MISSING)
    }
    const paper = { ...announced(png()), ...avatar, mimeType: 'application/pdf' }
    expect(await owner.post('/files/upload-url', paper)).toMatchObject(issueAt('mimeType'))
    const member = await school.member({ role: 'student' })
    const { id: own } = (await uploaded(app, member, avatar)).body
    const { userId, sessionId } = member
    const unbound = app.as(await app.app.tokens.issue({ userId, sessionId, tenantId: null }))
    expect(await unbound.patch('/me', { avatarFileId: own })).toMatchObject(MISSING)
  })

  test('as an avatar cannot be deleted, and is removed once another is set', async () => {
    const { owner } = school
    const [first, second] = [(await uploaded(app, owner, avatar)).body, (await uploaded(app, owner, avatar)).body]
    await owner.patch('/me', { avatarFileId: first.id })
    expect(await owner.delete(`/files/${first.id}`)).toMatchObject({
      status: 409,
      body: { error: { details: { namedBy: 'avatar' } } },
    })
    expect((await owner.patch('/me', { avatarFileId: second.id })).status).toBe(200)
    await app.drain()
    expect(await owner.get(`/files/${first.id}`)).toMatchObject(MISSING)
    expect((await stored(app)).join()).not.toContain(new URL(first.downloadUrl).pathname.split('/').at(-1))
    expect((await auditOf(app, school, 'files.delete')).at(-1)).toMatchObject({ entity_id: first.id })
    // Naming it again changes nothing.
    await owner.patch('/me', { avatarFileId: second.id })
    expect((await owner.get(`/files/${second.id}`)).status).toBe(200)
    await owner.patch('/me', { avatarFileId: null })
    expect(await owner.get(`/files/${second.id}`)).toMatchObject(MISSING)
  })

  test('as the logo must be an image of the institute, cannot be deleted or replaced by another type, and is released by another logo', async () => {
    const { owner } = school
    const logo = (logoFileId: string | null) => owner.patch('/settings', { branding: { logoFileId } })
    const foreign = (await uploaded(app, (await makeInstitute(app)).owner)).body.id
    expect(await logo(foreign)).toMatchObject(MISSING)
    const text = { bytes: Buffer.from('a,b'), mimeType: 'text/csv', originalName: 'a.csv' }
    expect(await logo((await uploaded(app, owner, text)).body.id)).toMatchObject(issueAt('branding', 'logoFileId'))
    const { id } = (await uploaded(app, owner)).body
    expect(await logo(id)).toMatchObject({ status: 200, body: { branding: { logoFileId: id } } })
    expect(await owner.delete(`/files/${id}`)).toMatchObject({
      status: 409,
      body: { error: { details: { namedBy: 'logo' } } },
    })
    expect(await uploaded(app, owner, { ...text, fileId: id })).toMatchObject(issueAt('mimeType'))
    expect((await uploaded(app, owner, { fileId: id, bytes: png('new logo') })).status).toBe(201)
    expect((await logo(null)).status).toBe(200)
    expect((await owner.get(`/files/${id}`)).status).toBe(200)
    expect((await owner.delete(`/files/${id}`)).status).toBe(200)
  })
})

describe('a file that is replaced', () => {
  test('keeps its id and its record; the old bytes and their address are gone', async () => {
    const entityId = await newStudent(world)
    const first = (await uploaded(app, school.owner, { entityType: 'student', entityId })).body
    const bytes = Buffer.from('name,mark')
    const said = { bytes, mimeType: 'text/csv', originalName: 'marks.csv', kind: 'report' }
    const { status, body } = await uploaded(app, school.owner, { ...said, fileId: first.id })
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { id: first.id, kind: 'report', originalName: 'marks.csv', entityId, createdAt: first.createdAt },
    })
    await app.drain()
    expect((await app.get(local(first.downloadUrl))).status).toBe(404)
    expect((await app.get(local(body.downloadUrl))).body).toBe('name,mark')
    expect((await stored(app)).join()).not.toContain(new URL(first.downloadUrl).pathname.split('/').at(-1))
    expect((await auditOf(app, school, 'files.complete')).at(-1)).toMatchObject({
      before: { originalName: 'picture.png' },
      after: { originalName: 'marks.csv' },
    })
  })
})

describe('the storage limit of a plan', () => {
  const used = 3 * 1024
  const body = { ...announced(Buffer.alloc(1024)) }

  test('counts files and uploads, and a deletion frees room', async () => {
    const small = await makeInstitute(app)
    await grant(app, small, { quotas: { maxStorageBytes: used } })
    const bytes = Buffer.concat([png(), Buffer.alloc(1024 - png().length)])
    const first = (await uploaded(app, small.owner, { bytes })).body.id
    await upload(app, small.owner, bytes)
    expect((await small.owner.post('/files/upload-url', body)).status).toBe(200)
    expect(await small.owner.post('/files/upload-url', body)).toMatchObject({
      status: 403,
      body: { error: { code: 'QUOTA_EXCEEDED', details: { limit: used, current: used } } },
    })
    await small.owner.delete(`/files/${first}`)
    expect((await small.owner.post('/files/upload-url', body)).status).toBe(200)
  })
})
