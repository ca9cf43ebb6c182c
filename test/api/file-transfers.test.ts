import { readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import type { FileStore } from '#ports/files/port.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import type { Reply } from '#kit/client.ts'
import { announced, local, png, put, sha256, stored, upload, uploaded } from '#kit/files.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { headOf, RawConnection } from '#kit/raw-http.ts'
import { auditOf } from '#kit/records.ts'

let app: TestApp
let school: TestInstitute
/** Runs before the storage copies an upload to its object. */
let beforeCopy: () => Promise<unknown> = async () => {}
let beforePut: () => Promise<unknown> = async () => {}

const slowed = (store: FileStore): FileStore => ({
  put: async (...given) => {
    await beforePut()
    return store.put(...given)
  },
  copy: async (...given) => {
    await beforeCopy()
    return store.copy(...given)
  },
  open: (...given) => store.open(...given),
  size: (...given) => store.size(...given),
  remove: (...given) => store.remove(...given),
  list: (...given) => store.list(...given),
  sweepUnfinished: (...given) => store.sweepUnfinished(...given),
  discardUnfinished: (...given) => store.discardUnfinished(...given),
})

beforeAll(async () => {
  app = await startApp({ files: slowed, config: { ...NO_LIMITS, accessTokenSeconds: 7 * 86_400 } })
  school = await makeInstitute(app)
})
afterAll(() => app.close())

const ask = async (bytes: Buffer, more: Record<string, unknown> = {}) =>
  (await school.owner.post('/files/upload-url', { ...announced(bytes), ...more })).body as {
    uploadUrl: string
    storageKey: string
  }

/** The same address with other values in its query. */
const altered = (address: string, values: Record<string, string>): string => {
  const url = new URL(address)
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value)
  return url.href
}

const refusedFor = (reason: string) => ({
  status: 403,
  body: { error: { code: 'FORBIDDEN', details: { reason } } },
})
const GONE = { status: 404, body: { error: { code: 'NOT_FOUND' } } }
const INVALID = { status: 422, body: { error: { code: 'VALIDATION_ERROR' } } }

/** Temporary files of the data directory. */
const halves = (): string[] => {
  try {
    return readdirSync(path.join(app.dataDir, 'files/.unfinished'))
  } catch {
    return []
  }
}

describe('an address to upload to', () => {
  test('begins with the server’s base address and needs no credential', async () => {
    const bytes = png('based')
    expect((await ask(bytes)).uploadUrl).toMatch(/^http:\/\/localhost:0\/files\//)
    const based = await startApp({ config: { baseUrl: 'https://school.example.org/office/' } })
    const { owner } = await makeInstitute(based)
    const { body } = await owner.post('/files/upload-url', announced(bytes))
    expect(body.uploadUrl).toMatch(/^https:\/\/school\.example\.org\/office\/files\//)
    await based.close()
  })

  test('accepts its bytes, which are audited, until it expires', async () => {
    const { uploadUrl, storageKey } = await ask(png())
    app.clock.advance(15 * 60 - 1)
    expect(await put(app, uploadUrl, png(), 'image/png')).toMatchObject({ status: 200, body: { ok: true } })
    expect((await auditOf(app, school, 'files.send')).at(-1)).toMatchObject({
      entity_type: 'file_upload',
      entity_id: storageKey.split('/')[1],
      actor_type: 'public',
    })
    app.clock.advance(1)
    const before = await stored(app)
    expect(await put(app, uploadUrl, png(), 'image/png')).toMatchObject(refusedFor('expired'))
    expect(await stored(app)).toEqual(before)
  })

  test('works for nothing but what it was made for', async () => {
    const bytes = png('signed')
    const { uploadUrl } = await ask(bytes)
    const others: Record<string, string> = {
      size: altered(uploadUrl, { size: String(bytes.length + 1) }),
      type: altered(uploadUrl, { type: 'application/pdf' }),
      expires: altered(uploadUrl, { expires: '99999999999999' }),
      signature: altered(uploadUrl, { signature: 'A'.repeat(22) }),
      id: uploadUrl.replace(/[0-9a-f-]{36}\?/, `${newId()}?`),
      institute: uploadUrl.replace(school.tenant.id, newId()),
    }
    for (const [what, address] of Object.entries(others)) {
      expect(await put(app, address, bytes, 'image/png'), what).toMatchObject(refusedFor('signature'))
    }
    // The signature covers the method.
    expect(await app.get(local(uploadUrl))).toMatchObject(refusedFor('signature'))
    const without = new URL(uploadUrl)
    without.searchParams.delete('signature')
    expect(await put(app, without.href, bytes, 'image/png')).toMatchObject(INVALID)
    expect(await stored(app)).not.toContain(`uploads/${new URL(uploadUrl).pathname.slice('/files/'.length)}`)
  })

  test('refuses a body of another size or type, and leaves nothing behind', async () => {
    const bytes = png('exact')
    const { uploadUrl, storageKey } = await ask(bytes)
    const before = await stored(app)
    for (const other of [Buffer.concat([bytes, Buffer.from('x')]), bytes.subarray(1), Buffer.alloc(0)]) {
      expect(await put(app, uploadUrl, other, 'image/png')).toMatchObject(INVALID)
    }
    expect(await put(app, uploadUrl, bytes, 'image/jpeg')).toMatchObject(INVALID)
    const malformed = { status: 400, body: { error: { code: 'MALFORMED_REQUEST' } } }
    expect(await put(app, uploadUrl, bytes, 'text/html')).toMatchObject(malformed)
    expect(await put(app, uploadUrl, Buffer.alloc(20 * 1024 * 1024 + 1), 'image/png')).toMatchObject(malformed)
    expect([await stored(app), halves()]).toEqual([before, []])
    const completion = { ...announced(bytes), storageKey, sha256: sha256(bytes) }
    expect(await school.owner.post('/files/complete', completion)).toMatchObject(INVALID)
  })

  test('a body that stops short leaves nothing behind', async () => {
    const bytes = png('short')
    const { uploadUrl } = await ask(bytes)
    const before = await stored(app)
    const connection = await RawConnection.open(app.url)
    const head = { host: 'x', 'content-type': 'image/png', 'content-length': bytes.length }
    connection.write(headOf('PUT', local(uploadUrl).slice(1), head))
    connection.write(bytes.subarray(0, 20))
    while (halves().length === 0) await pause(5)
    connection.destroy()
    while (halves().length > 0) await pause(5)
    expect(await stored(app)).toEqual(before)
  })

  test('when it is used again before completion the later body counts; afterwards it is refused', async () => {
    const [first, second] = [png('one'), png('two')]
    const { uploadUrl, storageKey } = await ask(first)
    for (const bytes of [first, second]) expect((await put(app, uploadUrl, bytes, 'image/png')).status).toBe(200)
    const completion = { ...announced(first), storageKey, sha256: sha256(first) }
    expect(await school.owner.post('/files/complete', completion)).toMatchObject(INVALID)
    const { body } = await school.owner.post('/files/complete', { ...completion, sha256: sha256(second) })
    expect(await put(app, uploadUrl, first, 'image/png')).toMatchObject(GONE)
    await app.drain()
    const response = await fetch(app.url + local(body.downloadUrl).slice(1))
    expect(Buffer.from(await response.arrayBuffer()).equals(second)).toBe(true)
  })

  test('bytes that are sent during the completion change nothing, and are discarded', async () => {
    const [checked, late] = [png('checked'), png('later..')]
    const { uploadUrl, storageKey } = await ask(checked)
    await put(app, uploadUrl, checked, 'image/png')
    let completed: Reply | undefined
    beforePut = async () => {
      beforePut = async () => {}
      completed = await school.owner.post('/files/complete', {
        ...announced(checked),
        storageKey,
        sha256: sha256(checked),
      })
    }
    expect(await put(app, uploadUrl, late, 'image/png')).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT' } },
    })
    await app.drain()
    expect(completed?.status).toBe(201)
    expect(await stored(app)).not.toContain(`uploads/${storageKey}`)
    const response = await fetch(app.url + local(completed?.body.downloadUrl).slice(1))
    expect(Buffer.from(await response.arrayBuffer()).equals(checked)).toBe(true)
  })

  test('refuses bytes that arrive a quarter of an hour after its expiry, when their room is free for others', async () => {
    const bytes = png('slow')
    const { uploadUrl, storageKey } = await ask(bytes)
    app.clock.advance(15 * 60 - 1)
    beforePut = async () => {
      beforePut = async () => {}
      app.clock.advance(15 * 60 + 1)
    }
    expect(await put(app, uploadUrl, bytes, 'image/png')).toMatchObject({ status: 409 })
    const completion = { ...announced(bytes), storageKey, sha256: sha256(bytes) }
    expect(await school.owner.post('/files/complete', completion)).toMatchObject(INVALID)
  })

  test('of an upload that was cancelled is 404', async () => {
    const { uploadUrl } = await ask(png())
    await app.app.database.write((db) =>
      db.deleteFrom('file_upload').where('tenant_id', '=', school.tenant.id).execute(),
    )
    expect(await put(app, uploadUrl, png(), 'image/png')).toMatchObject(GONE)
  })
})

describe('a completion', () => {
  const completionOf = (bytes: Buffer, more: Record<string, string> = {}) =>
    upload(app, school.owner, bytes, { originalName: 'a', ...more })

  test.each<[what: string, type: string, bytes: Buffer]>([
    ['HTML called an image', 'image/png', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['SVG called PNG', 'image/png', Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a PNG called JPEG', 'image/jpeg', png()],
    ['a program called PDF', 'application/pdf', Buffer.from('MZ\u0090\0\u0003\0\0\0', 'latin1')],
    [
      'text called a document',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      Buffer.from('hello'),
    ],
    ['a PNG called CSV', 'text/csv', png()],
    ['a NUL in CSV', 'text/csv', Buffer.from('one\0two')],
    ['the beginning of a PNG alone', 'image/png', png().subarray(0, 4)],
  ])('of %s is 422, and makes no file', async (_, mimeType, bytes) => {
    const completion = await completionOf(bytes, { mimeType })
    const before = (await stored(app)).filter((key) => key.startsWith('objects/'))
    expect(await school.owner.post('/files/complete', completion)).toMatchObject({
      status: 422,
      body: {
        error: { details: { issues: [{ path: ['mimeType'], message: expect.stringContaining('not of this type') }] } },
      },
    })
    expect((await stored(app)).filter((key) => key.startsWith('objects/'))).toEqual(before)
  })

  test.each([
    'text/html',
    'text/plain',
    'image/svg+xml',
    'image/avif',
    'application/zip',
    'video/mp4',
    'application/x-msdownload',
    'application/octet-stream',
    'IMAGE/PNG',
  ])('of the type %s cannot begin', async (mimeType) => {
    const reply = await school.owner.post('/files/upload-url', { ...announced(png()), mimeType })
    expect(reply).toMatchObject({ status: 422, body: { error: { details: { issues: [{ path: ['mimeType'] }] } } } })
  })

  test('is tried at most ten times; then the bytes must be sent again', async () => {
    const completion = await completionOf(png('tries'))
    const wrong = { ...completion, sha256: sha256(Buffer.from('other')) }
    const replies = await Promise.all(Array.from({ length: 14 }, () => school.owner.post('/files/complete', wrong)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([404, 404, 404, 404, ...Array(10).fill(422)])
    expect(await school.owner.post('/files/complete', completion)).toMatchObject(GONE)
  })

  test('of text accepts any bytes but NUL, whatever they begin with', async () => {
    for (const bytes of [Buffer.from('BM,height\n1,2'), Buffer.from('שם;ציון\nנועה;90'), Buffer.from([0xc7, 0xe1])]) {
      const reply = await uploaded(app, school.owner, { bytes, mimeType: 'text/csv', originalName: 'list.csv' })
      expect(reply.status).toBe(201)
    }
  })

  test('fails on a server that was suspended in the middle: nothing is made, and it can be sent again', async () => {
    const completion = await completionOf(png('still'))
    beforeCopy = async () => {
      beforeCopy = async () => {}
      app.clock.advance(1800)
    }
    const reply = await school.owner.post('/files/complete', completion)
    expect(reply).toMatchObject({ status: 500, body: { error: { code: 'INTERNAL_ERROR' } } })
    expect(reply.body.error.message).toContain('cannot write to its storage')
    expect((await school.owner.post('/files/complete', completion)).status).toBe(201)
    // The job removes the object that the completion had made.
    await app.pass(3600)
    const { files } = await app.app.database.read
      .selectFrom('file')
      .select((eb) => eb.fn.countAll<number>().as('files'))
      .executeTakeFirstOrThrow()
    expect((await stored(app)).filter((key) => key.startsWith('objects/'))).toHaveLength(files)
  })

  test('that repeats an API request with its key returns the same reply', async () => {
    const completion = await completionOf(png('repeat'))
    const headers = { 'idempotency-key': newId() }
    const [first, second] = [
      await school.owner.send('POST', '/files/complete', { body: completion, headers }),
      await school.owner.send('POST', '/files/complete', { body: completion, headers }),
    ]
    expect([first.status, second.status, second.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true'])
    expect(second.body).toEqual(first.body)
  })
})

describe('an upload that is not completed', () => {
  test('is deleted with its bytes a day after it was requested', async () => {
    const completion = await upload(app, school.owner, png('late'))
    await app.pass(24 * 3600 - 1)
    await sweep()
    expect(await stored(app)).toContain(`uploads/${completion.storageKey}`)
    await app.pass(2)
    await sweep()
    expect(await stored(app)).not.toContain(`uploads/${completion.storageKey}`)
    expect(await school.owner.post('/files/complete', completion)).toMatchObject(GONE)
  })

  const sweep = async (): Promise<void> => {
    const job = { kind: 'files.sweep', lane: 'files.sweep', payload: {}, max_attempts: 5 }
    await app.app.database.write((db) =>
      db
        .insertInto('job')
        .values({
          ...job,
          id: newId(),
          tenant_id: null,
          run_at: app.clock.now(),
          lease_until: null,
          unique_key: null,
          last_error: null,
          created_at: app.clock.now(),
          finished_at: null,
        })
        .execute(),
    )
    await app.drain()
  }
})

describe('an address to download from', () => {
  const download = (address: string, init: RequestInit = {}) => fetch(app.url + local(address).slice(1), init)

  test('gives the bytes, which browsers save and never run', async () => {
    const bytes = Buffer.from('<script>alert(1)</script>')
    const name = 'דוח \u202Eexe.html'
    const { body } = await uploaded(app, school.owner, { bytes, mimeType: 'text/csv', originalName: name })
    expect(body.originalName).toBe(name)
    const response = await download(body.downloadUrl)
    expect(await response.text()).toBe(bytes.toString())
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/csv',
      'content-length': String(bytes.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'no-store',
      etag: `"${sha256(bytes)}"`,
    })
    const disposition = decodeURIComponent(response.headers.get('content-disposition') ?? '')
    expect(disposition).toMatch(/^attachment; /)
    expect(disposition).toContain(`filename*=UTF-8''דוח _exe.html.csv`)
  })

  test('gives a part, the headers alone, and 304 to a client that has the file', async () => {
    const bytes = png('parts')
    const { body } = await uploaded(app, school.owner, { bytes })
    const part = await download(body.downloadUrl, { headers: { range: 'bytes=1-3' } })
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
      206,
      'PNG',
      `bytes 1-3/${bytes.length}`,
    ])
    const beyond = await download(body.downloadUrl, { headers: { range: 'bytes=9999-' } })
    expect(beyond.status).toBe(416)
    const head = await download(body.downloadUrl, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)])
    const had = await download(body.downloadUrl, { headers: { 'if-none-match': `"${sha256(bytes)}"` } })
    expect(had.status).toBe(304)
  })

  test('works for 5 minutes, for its file and for reading only', async () => {
    const { body } = await uploaded(app, school.owner)
    const other = (await uploaded(app, school.owner)).body
    const [, id] = new URL(other.downloadUrl).pathname.split('/').slice(-2)
    const swapped = body.downloadUrl.replace(/[0-9a-f-]{36}\?/, `${id}?`)
    expect(await app.get(local(swapped))).toMatchObject(refusedFor('signature'))
    const write = altered(body.downloadUrl, { size: String(png().length), type: 'image/png' })
    expect(await put(app, write, png(), 'image/png')).toMatchObject(refusedFor('signature'))
    app.clock.advance(5 * 60 - 1)
    expect((await app.get(local(body.downloadUrl))).status).toBe(200)
    app.clock.advance(1)
    expect(await app.get(local(body.downloadUrl))).toMatchObject(refusedFor('expired'))
    expect((await app.get(local((await school.owner.get(`/files/${body.id}`)).body.downloadUrl))).status).toBe(200)
  })

  test('stops working once the file is deleted; a running download continues', async () => {
    const bytes = Buffer.concat([png(), Buffer.alloc(15 * 1024 * 1024, 7)])
    const { body } = await uploaded(app, school.owner, { bytes })
    const reading = await download(body.downloadUrl)
    expect((await school.owner.delete(`/files/${body.id}`)).status).toBe(200)
    await app.drain()
    expect(Buffer.from(await reading.arrayBuffer()).equals(bytes)).toBe(true)
    expect(await app.get(local(body.downloadUrl))).toMatchObject(GONE)
    expect((await stored(app)).join()).not.toContain(new URL(body.downloadUrl).pathname.split('/').at(-1))
  })
})
