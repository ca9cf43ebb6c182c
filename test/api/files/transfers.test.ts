import { readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import type { FileStore } from '#ports/files/port.ts'
import { AT_HOME, NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import type { Reply } from '#kit/client.ts'
import { announced, local, png, put, sha256, stored, uploaded } from '#kit/files.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { headOf, RawConnection } from '#kit/raw-http.ts'
import { auditOf } from '#kit/records.ts'
import { putInto, type TenantState } from '#kit/tenant-states.ts'

let app: TestApp
let school: TestInstitute
let beforePut: () => Promise<unknown> = async () => {}

const slowed = (store: FileStore): FileStore => ({
  home: store.home,
  address: (...given) => store.address(...given),
  close: () => store.close(),
  put: async (...given) => {
    await beforePut()
    return store.put(...given)
  },
  copy: (...given) => store.copy(...given),
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
  test('begins with the address that was asked at, and needs no credential', async () => {
    expect((await ask(png('asked at'))).uploadUrl).toContain(`${app.url}/files/`)
  })

  test('works as it is after the server got another address, and a forged host does not get into it', async () => {
    const bytes = png('moved')
    const moved = await startApp({ config: { baseUrl: 'http://192.168.254.254:8080' }, machine: AT_HOME })
    const { owner } = await makeInstitute(moved)
    const { body } = await owner.post('/files/upload-url', announced(bytes))
    const sent = await fetch(body.uploadUrl, { method: 'PUT', body: bytes, headers: { 'Content-Type': 'image/png' } })
    expect(sent.status).toBe(200)
    const file = await owner.post('/files/complete', {
      ...announced(bytes),
      storageKey: body.storageKey,
      sha256: sha256(bytes),
    })
    const got = await fetch(file.body.downloadUrl)
    expect(Buffer.from(await got.arrayBuffer())).toEqual(bytes)
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    const forged = await owner.send('POST', '/files/upload-url', { body: announced(bytes), headers })
    expect(forged.body.uploadUrl).toContain('http://192.168.254.254:8080/files/')
    await moved.close()
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

  describe.each<[state: TenantState, status: number, code: string]>([
    ['locked', 402, 'SUBSCRIPTION_SUSPENDED'],
    ['expired', 402, 'PAYMENT_REQUIRED'],
    ['archived', 403, 'TENANT_SUSPENDED'],
  ])('of an institute that is %s since', (state, status, code) => {
    const refusal = { status, body: { error: { code } } }
    const addressOf = async (bytes: Buffer) => {
      const closing = await makeInstitute(app)
      const { body } = await closing.owner.post('/files/upload-url', announced(bytes))
      return { closing, key: `uploads/${body.storageKey}`, uploadUrl: body.uploadUrl as string }
    }

    test(`takes no more bytes: ${code}`, async () => {
      const bytes = png(code)
      const { closing, key, uploadUrl } = await addressOf(bytes)
      expect((await put(app, uploadUrl, bytes, 'image/png')).status).toBe(200)
      await putInto(app, closing, state)
      expect(await put(app, uploadUrl, bytes, 'image/png')).toMatchObject(refusal)
      // Nothing of the refused request counts: what came before is still there.
      await app.drain()
      expect(await stored(app)).toContain(key)
    })

    test(`throws bytes away that were on their way: ${code}`, async () => {
      const bytes = png(code)
      const { closing, key, uploadUrl } = await addressOf(bytes)
      beforePut = async () => {
        beforePut = async () => {}
        await putInto(app, closing, state)
      }
      expect(await put(app, uploadUrl, bytes, 'image/png')).toMatchObject(refusal)
      await app.drain()
      expect(await stored(app)).not.toContain(key)
    })
  })

  test('of an upload that was cancelled is 404', async () => {
    const { uploadUrl } = await ask(png())
    await app.app.database.write((db) =>
      db.deleteFrom('file_upload').where('tenant_id', '=', school.tenant.id).execute(),
    )
    expect(await put(app, uploadUrl, png(), 'image/png')).toMatchObject(GONE)
  })
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
