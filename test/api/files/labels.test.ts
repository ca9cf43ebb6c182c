import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { png, upload, uploaded } from '#kit/files.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newStudent } from '../examples/people.ts'

let app: TestApp
let school: TestInstitute
let world: World
let north: string
beforeAll(async () => {
  app = await startApp({ config: NO_LIMITS })
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

describe('what a file is attached to', () => {
  test('can be no record: a word that names none is a label of the caller’s own, with or without an id', async () => {
    for (const entityId of [newId(), undefined]) {
      for (const entityType of ['planet', 'x'.repeat(100), 'Student', ' שיעורי בית ']) {
        const { status, body } = await uploaded(app, school.owner, { entityType, ...(entityId && { entityId }) })
        expect([status, body.entityType, body.entityId]).toEqual([201, entityType.trim(), entityId ?? null])
        expect((await school.owner.get(`/files/${body.id}`)).body).toMatchObject({
          entityType: entityType.trim(),
          entityId: entityId ?? null,
        })
      }
    }
    const completion = await upload(app, school.owner, png())
    const complete = (entityType: string) => school.owner.post('/files/complete', { ...completion, entityType })
    for (const wrong of ['', 'x'.repeat(101), 'two\nlines']) {
      expect(await complete(wrong)).toMatchObject(issueAt('entityType'))
    }
  })

  test('a label is kept when the bytes are replaced, and gives way to a record', async () => {
    const label = { entityType: 'homework', entityId: newId() }
    const { id } = (await uploaded(app, school.owner, label)).body
    expect((await uploaded(app, school.owner, { fileId: id })).body).toMatchObject({ id, ...label })
    const entityId = await newStudent(world)
    const record = { entityType: 'student', entityId }
    expect((await uploaded(app, school.owner, { fileId: id, ...record })).body).toMatchObject({ id, ...record })
    expect((await uploaded(app, school.owner, { fileId: id, ...label })).body).toMatchObject({ id, ...label })
    expect((await school.owner.delete(`/students/${entityId}`)).status).toBe(200)
  })

  test('a file with a label is reached by the whole institute’s files.read alone', async () => {
    const label = { entityType: 'homework', entityId: north }
    const { id } = (await uploaded(app, school.owner, label)).body
    const reader = await school.member({ permissions: ['files.read'] })
    expect((await reader.get(`/files/${id}`)).status).toBe(200)
    for (const branchId of [north, school.branchId]) {
      const within = await school.member({ permissions: ['files.write'], branchId })
      expect(await within.get(`/files/${id}`)).toMatchObject(MISSING)
      expect(await within.delete(`/files/${id}`)).toMatchObject(MISSING)
      const own = (await uploaded(app, within, label)).body.id
      expect(await within.get(`/files/${own}`)).toMatchObject(MISSING)
      expect((await reader.get(`/files/${own}`)).status).toBe(200)
    }
    const nobody = await school.member({ role: 'student' })
    expect(await nobody.get(`/files/${id}`)).toMatchObject(FORBIDDEN)
  })

  test('without files.write a label is refused like a record', async () => {
    const nobody = await school.member({ role: 'student' })
    const avatar = { kind: 'avatar', entityType: 'homework' }
    const completion = await upload(app, nobody, png(), { kind: 'avatar' })
    expect(await nobody.post('/files/complete', { ...completion, ...avatar })).toMatchObject(FORBIDDEN)
    expect((await nobody.post('/files/complete', completion)).status).toBe(201)
  })
})
