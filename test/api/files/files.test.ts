import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { worldOf } from '#kit/examples.ts'
import { announced, png, sha256, upload, uploaded } from '#kit/files.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf } from '#kit/records.ts'
import { newStudent } from '../examples/people.ts'

let app: TestApp
let school: TestInstitute
beforeAll(async () => {
  app = await startApp()
  school = await makeInstitute(app)
})
afterAll(() => app.close())

const issueAt = (...path: string[]) => ({
  status: 422,
  body: { error: { code: 'VALIDATION_ERROR', details: { issues: [{ path }] } } },
})

describe('an upload', () => {
  test.each([
    'image/jpeg',
    'image/png',
    'image/webp',
    'image/gif',
    'application/pdf',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'text/csv',
  ])('may be of the type %s', async (mimeType) => {
    const reply = await school.owner.post('/files/upload-url', { ...announced(png()), mimeType })
    expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  })

  test('becomes a file once it is completed', async () => {
    const bytes = png('first')
    const asked = await school.owner.post('/files/upload-url', announced(bytes))
    expect(asked).toMatchObject({
      status: 200,
      body: { storageKey: expect.stringMatching(`^${school.tenant.id}/`), expiresAt: '2026-03-02T08:15:00.000Z' },
    })
    const completion = await upload(app, school.owner, bytes)
    const studentId = await newStudent(worldOf(app, school))
    const { status, body } = await school.owner.post('/files/complete', {
      ...completion,
      entityType: 'student',
      entityId: studentId,
    })
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.any(String),
        kind: 'document',
        originalName: 'picture.png',
        mimeType: 'image/png',
        sizeBytes: bytes.length,
        sha256: sha256(bytes),
        entityType: 'student',
        entityId: studentId,
        createdAt: app.clock.now(),
        downloadUrl: expect.stringContaining(`/files/${school.tenant.id}/`),
        downloadUrlExpiresAt: '2026-03-02T08:05:00.000Z',
      },
    })
    expect((await school.owner.get(`/files/${body.id}`)).body).toEqual(body)
    expect((await auditOf(app, school, 'files.complete')).at(-1)).toMatchObject({
      entity_type: 'file',
      entity_id: body.id,
      after: { originalName: 'picture.png', entityId: studentId },
    })
  })

  test.each([
    ['with another size', { sizeBytes: 1 }, 'sizeBytes'],
    ['as another kind', { kind: 'report' }, 'kind'],
    ['as another type', { mimeType: 'image/gif' }, 'mimeType'],
    ['with another hash', { sha256: sha256(Buffer.from('other')) }, 'sha256'],
  ])('completed %s is 422 at its field', async (_, other, field) => {
    const completion = await upload(app, school.owner, png(field))
    expect(await school.owner.post('/files/complete', { ...completion, ...other })).toMatchObject(issueAt(field))
    // Nothing is lost: with the right values it becomes a file.
    expect((await school.owner.post('/files/complete', completion)).status).toBe(201)
  })

  test('without bytes is 422', async () => {
    const { body } = await school.owner.post('/files/upload-url', announced(png()))
    const completion = { ...announced(png()), sha256: sha256(png()), storageKey: body.storageKey }
    expect(await school.owner.post('/files/complete', completion)).toMatchObject(issueAt('storageKey'))
  })

  test('under a key of another institute is 404', async () => {
    const foreign = await makeInstitute(app)
    const theirs = await upload(app, foreign.owner, png('theirs'))
    const { id } = (await uploaded(app, school.owner)).body
    const missing = { status: 404, body: { error: { code: 'NOT_FOUND' } } }
    const named = [`${school.tenant.id}/${newId()}`, `${school.tenant.id}/../${foreign.tenant.id}`, '../master-key']
    const others = ['/etc/passwd', id, `${school.tenant.id}/${newId()}/`, 'x'.repeat(1024), `objects/${newId()}`]
    for (const storageKey of [theirs.storageKey, ...named, ...others]) {
      expect(await school.owner.post('/files/complete', { ...theirs, storageKey }), storageKey).toMatchObject(missing)
    }
    expect(await school.owner.post('/files/complete', { ...theirs, storageKey: 'a\0b' })).toMatchObject(
      issueAt('storageKey'),
    )
    expect(await school.owner.post('/files/complete', { ...theirs, storageKey: 'x'.repeat(1025) })).toMatchObject(
      issueAt('storageKey'),
    )
    expect((await foreign.owner.post('/files/complete', theirs)).status).toBe(201)
  })
})
