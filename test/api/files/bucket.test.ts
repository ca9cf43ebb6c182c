import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Readable } from 'node:stream'
import { filesOf } from '#app/data-dir/files.ts'
import { newId } from '#kernel/basics/ids.ts'
import type { TestApp } from '#kit/app.ts'
import { announced, png, put, sha256, stored, upload, uploaded } from '#kit/files.ts'
import { grant } from '#kit/grant.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { startAppWithBucket, startS3rver, type TestStore } from '#kit/s3.ts'

let store: TestStore
let app: TestApp
let school: TestInstitute

beforeAll(async () => {
  store = await startS3rver()
})
afterAll(() => store.close())
beforeEach(async () => {
  app = await startAppWithBucket(store)
  school = await makeInstitute(app)
})
afterEach(async () => {
  store.fault = () => undefined
  await app.close()
})

/** Enqueues a job that a schedule does, and runs it. */
const runJob = async (kind: string): Promise<void> => {
  const { clock } = app
  const job = {
    id: newId(),
    kind,
    lane: kind,
    payload: {},
    max_attempts: 5,
    run_at: clock.now(),
    created_at: clock.now(),
  }
  await app.app.database.write((db) => db.insertInto('job').values(job).execute())
  await app.drain()
}

const INVALID = { status: 422, body: { error: { code: 'VALIDATION_ERROR' } } }

const ask = async (bytes: Buffer) => (await school.owner.post('/files/upload-url', announced(bytes))).body

describe('with a bucket', () => {
  test('a list that lies in it is imported', async () => {
    const bytes = Buffer.from('Name,Phone\r\nLina Khoury,0501234561\r\n')
    const file = { bytes, originalName: 'list.csv', mimeType: 'text/csv' }
    const { body } = await uploaded(app, school.owner, file)
    const asked = await school.owner.post('/imports', { kind: 'students', fileId: body.id })
    expect(asked.status).toBe(202)
    await app.drain()
    expect((await school.owner.get(`/imports/${asked.body.id}`)).body).toMatchObject({
      status: 'done',
      created: 1,
      errors: [],
    })
  })

  test('bytes go to it and come from it, and lie under the name of their institute', async () => {
    const bytes = png('in the bucket')
    const { uploadUrl } = await ask(bytes)
    expect(new URL(uploadUrl).host).toBe(store.settings.host)
    const { status, body } = await uploaded(app, school.owner, { bytes, originalName: 'lesson.png' })
    expect(status).toBe(201)
    await app.drain()
    expect(await store.held()).toEqual([expect.stringMatching(`^${school.tenant.id}/objects/`)])
    expect(await stored(app)).toEqual([])
    const got = await fetch(body.downloadUrl)
    expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true)
    expect(got.headers.get('content-type')).toBe('image/png')
    expect(got.headers.get('content-disposition')).toBe('attachment; filename=lesson.png')
    expect(new URL(body.downloadUrl).searchParams.get('X-Amz-Expires')).toBe('300')
    const again = (await school.owner.get(`/files/${body.id}`)).body
    expect(new URL(again.downloadUrl).pathname).toBe(new URL(body.downloadUrl).pathname)
  })

  test('the console may reach it, and no other server', async () => {
    const { headers } = await fetch(`${app.url}/sign-in`, { redirect: 'manual' })
    const origin = `http://${store.settings.host}`
    expect(headers.get('content-security-policy')).toMatch(
      `img-src 'self' ${origin} data: blob:; connect-src 'self' ${origin};`,
    )
  })

  test('the store refuses another size, another type, and another key', async () => {
    const bytes = png('exact')
    const { uploadUrl } = await ask(bytes)
    const others: [string, Buffer, string][] = [
      [uploadUrl, Buffer.concat([bytes, Buffer.from('x')]), 'image/png'],
      [uploadUrl, bytes.subarray(1), 'image/png'],
      [uploadUrl, bytes, 'text/html'],
      [uploadUrl.replace(/[0-9a-f-]{36}\?/, `${newId()}?`), bytes, 'image/png'],
      [uploadUrl.replace(school.tenant.id, newId()), bytes, 'image/png'],
    ]
    for (const [address, body, type] of others) expect((await put(app, address, body, type)).status).toBe(403)
    expect(await store.held()).toEqual([])
  })

  test('what did not come, or is not what was said, becomes no file', async () => {
    const bytes = png('said')
    const { storageKey } = await ask(bytes)
    const said = { ...announced(bytes), storageKey, sha256: sha256(bytes) }
    expect(await school.owner.post('/files/complete', said)).toMatchObject(INVALID)
    const sent = await upload(app, school.owner, bytes)
    expect(await school.owner.post('/files/complete', { ...sent, sha256: '0'.repeat(64) })).toMatchObject(INVALID)
    const text = Buffer.alloc(bytes.length, 'x')
    const other = await upload(app, school.owner, text)
    expect(await school.owner.post('/files/complete', other)).toMatchObject(INVALID)
    await app.drain()
    expect((await store.held()).filter((name) => name.includes('/objects/'))).toEqual([])
    expect((await school.owner.post('/files/complete', sent)).status).toBe(201)
  })

  test('a file that is replaced or deleted takes its bytes with it, and a copied address lets none stay', async () => {
    const bytes = png('first')
    const asked = await ask(bytes)
    await put(app, asked.uploadUrl, bytes, 'image/png')
    const said = { ...announced(bytes), storageKey: asked.storageKey, sha256: sha256(bytes) }
    const first = (await school.owner.post('/files/complete', said)).body
    await app.drain()
    expect((await put(app, asked.uploadUrl, bytes, 'image/png')).status).toBe(200)
    expect(await store.held()).toHaveLength(2)
    expect((await uploaded(app, school.owner, { fileId: first.id })).status).toBe(201)
    await app.pass(31 * 60)
    expect(await store.held()).toHaveLength(1)
    expect((await fetch(first.downloadUrl)).status).toBe(404)
    expect((await school.owner.delete(`/files/${first.id}`)).status).toBe(200)
    await app.drain()
    expect(await store.held()).toEqual([])
  })

  test('what is not completed goes after a day', async () => {
    await upload(app, school.owner, png('left'))
    await app.pass(24 * 3600 - 60)
    await runJob('files.sweep')
    expect(await store.held()).toHaveLength(1)
    await app.pass(120)
    await runJob('files.sweep')
    expect(await store.held()).toEqual([])
  })

  test('bytes that have come count for the plan, others no longer once they cannot come', async () => {
    const bytes = Buffer.concat([png(), Buffer.alloc(1024 - png().length)])
    await grant(app, school, { quotas: { maxStorageBytes: 2048 } })
    await upload(app, school.owner, bytes)
    await ask(bytes)
    const more = () => school.owner.post('/files/upload-url', announced(bytes))
    expect((await more()).status).toBe(403)
    await app.pass(31 * 60)
    expect((await more()).status).toBe(200)
    expect((await more()).status).toBe(403)
  })

  test('a store that fails for a while loses nothing and doubles nothing', async () => {
    const bytes = png('patient')
    const sent = await upload(app, school.owner, bytes)
    store.fault = () => ({ status: 503 })
    const refused = await school.owner.post('/files/complete', sent)
    expect(refused).toMatchObject({
      status: 500,
      body: { error: { code: 'INTERNAL_ERROR', message: expect.stringContaining('storage at the moment') } },
    })
    expect(JSON.stringify(refused.body)).not.toContain(store.settings.secret)
    store.fault = () => undefined
    const { body } = await school.owner.post('/files/complete', sent)
    store.fault = () => ({ status: 503 })
    expect((await school.owner.delete(`/files/${body.id}`)).status).toBe(200)
    await app.drain()
    store.fault = () => undefined
    expect(await store.held()).not.toEqual([])
    for (const seconds of [60, 600, 3600]) await app.pass(seconds)
    expect(await store.held()).toEqual([])
  })

  test('a short failure is not noticed', async () => {
    const sent = await upload(app, school.owner, png('once'))
    let left = 2
    store.fault = () => ((left -= 1) >= 0 ? { status: 503 } : undefined)
    expect((await school.owner.post('/files/complete', sent)).status).toBe(201)
    expect(left).toBeLessThan(0)
  })

  test('an export goes there with the files of its institute', async () => {
    const bytes = png('exported')
    await uploaded(app, school.owner, { bytes })
    await school.owner.post('/export', {})
    await app.drain()
    const { body } = await school.owner.post('/export', {})
    expect(body).toMatchObject({ status: 'done', sha256: expect.any(String) })
    const archive = Buffer.from(await (await fetch(body.downloadUrl)).arrayBuffer())
    expect(sha256(archive)).toBe(body.sha256)
    expect(archive.includes(bytes)).toBe(true)
    expect((await store.held()).filter((name) => name.includes('/exports/'))).toHaveLength(1)
    await app.pass(25 * 3600)
    await runJob('export.sweep')
    expect((await store.held()).filter((name) => name.includes('/exports/'))).toEqual([])
  })

  test('a file that was stored on the disk before is read from there', async () => {
    const { body } = await uploaded(app, school.owner)
    const [name = ''] = (await store.held()).filter((one) => one.includes('/objects/'))
    const bytes = Buffer.from(await (await fetch(body.downloadUrl)).arrayBuffer())
    const [institute, , id] = name.split('/')
    await filesOf(app).put(`objects/${institute}/${id}`, Readable.from([bytes]), bytes.length)
    await app.app.database.write((db) => db.updateTable('file').set({ place: 'disk' }).execute())
    const { downloadUrl } = (await school.owner.get(`/files/${body.id}`)).body
    expect(new URL(downloadUrl).pathname).toBe(`/files/${institute}/${id}`)
    expect((await app.get(`/${new URL(downloadUrl).pathname}${new URL(downloadUrl).search}`)).status).toBe(200)
  })
})
