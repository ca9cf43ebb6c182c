import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newBackupKey } from '#app/backup/encryption.ts'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import { putInStore, startS3rver, type Fault, type TestStore } from '#kit/s3.ts'
import { newSetup } from '#kit/setup.ts'
import { storeOfOne } from '#kit/store-of-one.ts'
import { certificate, listening } from '../../ports/outbound-kit.ts'

const OLD = 'nightly-2026-08-30T00-30-00-000Z.tar.gz'
const NEW = 'nightly-2026-09-01T00-30-00-000Z.tar.gz'
const SEALED = 'age-encryption.org/v1 and the new one'

let store: TestStore
beforeAll(async () => {
  store = await startS3rver()
})
afterAll(() => store.close())

let app: TestApp
beforeEach(async () => {
  store.fault = () => undefined
  await store.emptyBucket()
  app = await startApp()
})
afterEach(() => app.close())

const token = () => app.app.setupToken.read() ?? ''
const typed = (more: object = {}) => ({
  address: `http://${store.settings.host}`,
  region: '',
  bucket: store.settings.bucket,
  folder: 'school',
  keyId: store.settings.keyId,
  secret: store.settings.secret,
  ...more,
})
const call = async (method: string, address: string, body?: object) => {
  const reply = await fetch(`${app.url}/setup/restore${address}`, {
    method,
    headers: { 'X-Setup-Token': token(), ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  // oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects to find
  return { status: reply.status, body: (await reply.json()) as any }
}
const list = (more: object = {}, setupToken = token()) => call('POST', '/bucket', { setupToken, store: typed(more) })
const fetchOne = (copy: string, more: object = {}, setupToken = token()) =>
  call('POST', '/bucket/fetch', { setupToken, store: typed(more), copy })
const state = async () => (await call('GET', '')).body
const ended = async () => {
  await expect.poll(async () => (await state()).step, { timeout: 20_000 }).not.toBe('fetching')
  return state()
}
const put = (name: string, text: string) => putInStore(store, name, text)
const fill = async () => {
  await put(`school/${OLD}.age`, 'the old one')
  await put(`school/${NEW}.age`, SEALED)
  await put('school/letter.pdf', 'a letter')
}
const folder = () => path.join(app.dataDir, '.restore-from')
const left = () => (existsSync(folder()) ? readdirSync(folder()) : [])
const refused = (status: number, reason: string) => ({ status, body: { error: { details: { reason } } } })
const isGet: (request: Parameters<Fault>[0]) => boolean = ({ method, url = '' }) =>
  method === 'GET' && url.includes('.age')

describe.runIf(engine === 'sqlite')('the bucket that somebody types on a server without an institute', () => {
  test('is listed with the newest copy first, and one of it comes here as a file that was sent', async () => {
    await fill()
    expect(await list()).toEqual({
      status: 200,
      body: {
        kept: [
          { name: NEW, createdAt: '2026-09-01T00:30:00.000Z', sizeBytes: SEALED.length },
          { name: OLD, createdAt: '2026-08-30T00:30:00.000Z', sizeBytes: 11 },
        ],
        others: 1,
        folders: [],
        reason: null,
        region: null,
        detail: '',
      },
    })
    expect(await fetchOne(NEW)).toMatchObject({
      status: 202,
      body: { step: 'fetching', fetched: { sizeBytes: SEALED.length, gotBytes: 0 } },
    })
    expect(await ended()).toMatchObject({ step: 'uploaded', needsKey: true, fetched: null, reason: null })
    expect(readFileSync(path.join(folder(), 'upload'), 'utf8')).toBe(SEALED)
    // Another one takes its place.
    await fetchOne(OLD)
    expect(await ended()).toMatchObject({ step: 'uploaded', needsKey: false })
  })

  test('is for whoever has the setup code, until there is an institute', async () => {
    await fill()
    for (const reply of [await list({}, 'wrong'), await fetchOne(NEW, {}, 'wrong')])
      expect(reply).toMatchObject({ status: 401, body: { error: { code: 'TOKEN_INVALID' } } })
    const setupToken = token()
    expect((await app.post('/setup/bootstrap', newSetup(setupToken))).status).toBe(201)
    for (const reply of [await list({}, setupToken), await fetchOne(NEW, {}, setupToken)])
      expect(reply.status).toBe(404)
  })

  test('may be empty, hold other files alone, or have the copies in a folder', async () => {
    expect((await list()).body).toMatchObject({ kept: [], others: 0, folders: [], reason: null })
    await put('school/letter.pdf', 'a letter')
    await put('school/2026/another.pdf', 'another')
    expect((await list()).body).toMatchObject({ kept: [], others: 1, folders: ['2026'], reason: null })
    await fill()
    expect((await list({ folder: '' })).body).toMatchObject({ kept: [], others: 0, folders: ['school'] })
    expect((await list({ folder: '/school/' })).body.kept).toHaveLength(2)
    for (const name of ['letter.pdf', 'nightly-none.tar.gz', `../school/${NEW}`])
      expect((await fetchOne(name)).status).toBe(404)
  })

  test.each([
    ['no scheme', { address: 'store.example.com:abc' }, 'address'],
    ['something behind it', { address: 'https://store.example.com/another/page' }, 'address'],
    ['another protocol', { address: 'ftp://store.example.com' }, 'address'],
    ['a key within it', { address: 'https://user:secret@store.example.com' }, 'address'],
    ['a name that no bucket has', { bucket: 'My Bucket' }, 'bucket'],
    ['a region with a blank', { region: 'eu central' }, 'region'],
    ['a folder that leads elsewhere', { folder: 'school/?x' }, 'folder'],
    ['no key', { keyId: ' ' }, 'keyId'],
    ['no secret', { secret: '' }, 'secret'],
  ])('with %s is refused at its field', async (_, more, field) => {
    const { status, body } = await list(more)
    expect(status).toBe(422)
    expect(body.error.details.issues).toMatchObject([{ path: ['store', field] }])
  })

  test('is taken as its own page shows it: with its name behind the address, and with slashes at its folder', async () => {
    await fill()
    const address = `http://${store.settings.host}/${store.settings.bucket}/`
    expect((await list({ address, folder: '/school/' })).body.kept).toHaveLength(2)
  })

  test.each([
    ['may_not_list', 403, 'AccessDenied', ''],
    ['wrong_key', 403, 'InvalidAccessKeyId', ''],
    ['wrong_secret', 403, 'SignatureDoesNotMatch', ''],
    ['clock', 403, 'RequestTimeTooSkewed', ''],
    ['no_bucket', 404, 'NoSuchBucket', ''],
    ['other_region', 400, 'AuthorizationHeaderMalformed', '<Region>eu-central-1</Region>'],
    ['other_region', 301, 'PermanentRedirect', '<Region>eu-central-1</Region>'],
    ['no_store', 405, 'not/a/code', ''],
    ['other_protocol', 400, 'not/a/code', ''],
    ['failed', 501, 'NotImplemented', ''],
  ])('that says %s (%i %s) is told so, without its key, and nothing comes', async (reason, status, code, more) => {
    await fill()
    store.fault = () => ({ status, code, more })
    const secret = 'a secret of this test'
    const { body } = await list({ secret })
    expect(body).toMatchObject({ kept: [], reason, region: more === '' ? null : 'eu-central-1' })
    expect(body.detail === '').toBe(reason !== 'failed')
    expect(JSON.stringify(body)).not.toContain(secret)
    expect(JSON.stringify(body)).not.toContain(store.settings.keyId)
    expect((await fetchOne(NEW, { secret })).body).toMatchObject({ step: 'failed', reason })
    expect(left()).toEqual([])
  })

  test('where nothing is says so, and so does what is no store', async () => {
    expect((await list({ address: 'http://127.0.0.1:9' })).body.reason).toBe('unreachable')
    expect((await list({ address: 'http://nobody.invalid' })).body.reason).toBe('unreachable')
    expect((await list({ address: `https://${store.settings.host}` })).body.reason).toBe('other_protocol')
    // This server itself is one.
    expect((await list({ address: app.url })).body.reason).toBe('no_store')
  })

  test('whose certificate nobody vouches for, or that is for another name, gets no request', async () => {
    const { key, cert } = await certificate('another.test', {})
    let requests = 0
    const server = createServer({ key, cert }, () => (requests += 1))
    await using receiver = await listening(server, () => {})
    expect((await list({ address: `https://127.0.0.1:${receiver.port}` })).body.reason).toBe('certificate')
    expect(requests).toBe(0)
  })

  test('of which one may not be read says so, keeps nothing of it, and lets it be tried again', async () => {
    await fill()
    store.fault = (request) => (isGet(request) ? { status: 403, code: 'AccessDenied' } : undefined)
    expect((await fetchOne(NEW)).status).toBe(202)
    expect(await ended()).toMatchObject({ step: 'failed', reason: 'may_not_read' })
    expect(left()).toEqual([])
    store.fault = () => undefined
    await fetchOne(NEW)
    expect(await ended()).toMatchObject({ step: 'uploaded', reason: null })
  })

  test('of which one is cut on its way goes on where it stopped, and gives nothing where it never ends', async () => {
    await fill()
    let cuts = 0
    const ranges: (string | undefined)[] = []
    store.fault = (request) => {
      if (!isGet(request)) return undefined
      ranges.push(request.headers.range)
      cuts += 1
      return cuts <= 2 ? { cutAfter: 10 } : undefined
    }
    await fetchOne(NEW)
    expect(await ended()).toMatchObject({ step: 'uploaded', reason: null })
    expect(readFileSync(path.join(folder(), 'upload'), 'utf8')).toBe(SEALED)
    expect(ranges).toEqual([undefined, 'bytes=10-', 'bytes=20-'])

    store.fault = (request) => (isGet(request) ? { cutAfter: 1 } : undefined)
    await fetchOne(NEW)
    expect(await ended()).toMatchObject({ step: 'failed', reason: 'no_answer' })
    expect(left()).toEqual([])
  })

  test('takes nothing else while one is on its way', async () => {
    await fill()
    store.fault = (request) => (isGet(request) ? 'hang' : undefined)
    await fetchOne(NEW)
    expect(await fetchOne(OLD)).toMatchObject(refused(409, 'restore_busy'))
    expect(await call('POST', '/check', { setupToken: token() })).toMatchObject(refused(409, 'restore_busy'))
    const { dataDir } = app
    await app.app.close()
    expect(readdirSync(path.join(dataDir, '.restore-from'))).toEqual([])
  })

  test('is left in peace once an institute is set up without it', async () => {
    await fill()
    let isLeft = false
    store.fault = (request) => {
      if (!isGet(request)) return undefined
      request.socket.once('close', () => (isLeft = true))
      return 'hang'
    }
    await fetchOne(NEW)
    await expect.poll(() => store.seen.some((one) => one.startsWith('GET') && one.includes('.age'))).toBe(true)
    await app.post('/setup/bootstrap', newSetup(token()))
    await app.drain()
    await expect.poll(() => isLeft).toBe(true)
    expect(left()).toEqual([])
  })

  test('has one that is too large for the disk: it is refused before a byte of it comes', async () => {
    const { s3 } = await storeOfOne(NEW, Buffer.from('few bytes'), { size: 2 ** 43 })
    const more = { address: `http://${s3.host}`, bucket: s3.bucket, folder: '' }
    expect(await fetchOne(NEW, more)).toMatchObject(refused(409, 'no_room_for_backup'))
    expect(left()).toEqual([])
  })

  test('that keeps its key from this server leaves none of it behind', async () => {
    await fill()
    const secret = store.settings.secret
    await fetchOne(NEW, { keyId: secret })
    await ended()
    const kept = readdirSync(app.dataDir, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile() && one.name.endsWith('.conf'))
      .map((one) => readFileSync(path.join(one.parentPath, one.name), 'utf8'))
    expect(kept.join('')).not.toContain(secret)
  })

  test('that takes nothing is not promised the copies of the nights to come', async () => {
    await app.close()
    app = await startApp({ config: { backups: { keep: 14, to: undefined, key: undefined, command: undefined } } })
    await fill()
    const { identity: key } = await newBackupKey()
    const begin = (copiesTo: object) => call('POST', '', { setupToken: token(), copiesTo })
    store.fault = ({ method }) => (method === 'PUT' ? { status: 403, code: 'AccessDenied' } : undefined)
    expect((await state()).canKeepCopies).toBe(true)
    expect(await begin({ store: typed(), key })).toMatchObject(refused(409, 'bucket_takes_none'))
    store.fault = () => undefined
    expect(await begin({ store: typed(), key: 'no key' })).toMatchObject(refused(409, 'bucket_takes_none'))
    // It would take them: what is missing is the backup.
    expect(await begin({ store: typed(), key })).toMatchObject(refused(409, 'nothing_to_restore'))
  })
})

describe.runIf(engine === 'sqlite')('a server that may not reach its own network', () => {
  test('says so of a store that lies there, and asks it nothing', async () => {
    await app.close()
    app = await startApp({ config: { webhookBlockPrivate: true } })
    store.seen.length = 0
    expect((await list()).body).toMatchObject({ kept: [], reason: 'address_refused', detail: '' })
    expect((await list({ address: 'http://localhost:1' })).body.reason).toBe('unreachable')
    expect((await fetchOne(NEW)).body).toMatchObject({ step: 'failed', reason: 'address_refused' })
    expect(store.seen).toEqual([])
  })
})

test.runIf(engine === 'postgres')('a server with Postgres takes no copy out of a bucket', async () => {
  expect((await list()).status).toBe(404)
  expect((await fetchOne(NEW)).status).toBe(404)
})
