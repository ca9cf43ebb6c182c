import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { putObject } from '#ports/files/s3/objects.ts'
import { Bucket } from '#ports/files/s3/requests.ts'
import { newBackupKey } from '#app/backup/encryption.ts'
import type { Config } from '#app/config/config.ts'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf } from '#kit/records.ts'
import { startS3rver, type TestStore } from '#kit/s3.ts'
import { storeOfOne } from '#kit/store-of-one.ts'

let store: TestStore
let key: string
beforeAll(async () => {
  store = await startS3rver()
  key = (await newBackupKey()).recipient
})
afterAll(() => store.close())

let app: TestApp
let institute: TestInstitute
const begin = async (backups: Partial<Config['backups']>) => {
  app = await startApp({
    config: { backups: { keep: 0, to: undefined, key, command: undefined, ...backups } },
  })
  institute = await makeInstitute(app)
}
beforeEach(async () => {
  store.fault = () => undefined
  await store.emptyBucket()
  await begin({ to: { s3: store.settings, under: 'school/' } })
})
afterEach(() => app.close())

const OLD = 'nightly-2026-08-30T00-30-00-000Z.tar.gz'
const SECRET = 'a secret of this test'
const NEW = 'nightly-2026-09-01T00-30-00-000Z.tar.gz'

const put = async (name: string, text: string): Promise<void> => {
  const bucket = new Bucket(store.settings)
  await putObject(
    bucket,
    name,
    (async function* () {
      yield Buffer.from(text)
    })(),
    text.length,
  )
  bucket.close()
}
const fill = async (): Promise<void> => {
  await put(`school/${OLD}.age`, 'the old one')
  await put(`school/${NEW}.age`, 'age-encryption.org/v1 and the new one')
  await put(`another/${NEW}.age`, 'of another school')
  await put('school/letter.pdf', 'a letter')
}
const listed = () => institute.owner.get('/server/backups/bucket')
const fetchOne = (name: string) => institute.owner.post(`/server/backups/bucket/${name}/fetch`, {})
const state = async () => (await institute.owner.get('/server/backups')).body
const ended = async () => {
  await expect.poll(async () => (await state()).bucket.fetched).toBe(null)
  return state()
}
const folder = () => path.join(app.dataDir, '.brought')
const left = () => (existsSync(folder()) ? readdirSync(folder()) : [])
const refused = (status: number, reason: string) => ({ status, body: { error: { details: { reason } } } })
const isGet = ({ method = '', url = '' }: { method?: string | undefined; url?: string | undefined }): boolean =>
  method === 'GET' && url.includes('.age')

describe.runIf(engine === 'sqlite')('the bucket of the settings', () => {
  test('says what is in it, the newest first, and one comes here encrypted, as a file that was sent', async () => {
    expect(await listed()).toMatchObject({ status: 200, body: { kept: [], reason: null, detail: '' } })
    await fill()
    expect((await listed()).body.kept).toEqual([
      { name: NEW, createdAt: '2026-09-01T00:30:00.000Z', sizeBytes: 37 },
      { name: OLD, createdAt: '2026-08-30T00:30:00.000Z', sizeBytes: 11 },
    ])
    expect(await fetchOne(NEW)).toMatchObject({
      status: 202,
      body: { bucket: { name: store.settings.bucket, fetched: { name: NEW, sizeBytes: 37, gotBytes: 0 } } },
    })
    const { kept, bucket } = await ended()
    expect(bucket).toMatchObject({ fetched: null, reason: null, detail: '' })
    expect(kept).toMatchObject([{ kind: 'brought', sizeBytes: 37, isEncrypted: true }])
    expect(readFileSync(path.join(folder(), kept[0].name), 'utf8')).toBe('age-encryption.org/v1 and the new one')
    expect(await auditOf(app, institute, 'server.fetch-from-bucket')).toMatchObject([{ metadata: { name: NEW } }])
    app.clock.advance(60)
    // Another takes its place, whatever it is.
    await fetchOne(OLD)
    const [{ name, ...next }, ...others] = (await ended()).kept
    expect([next, others]).toMatchObject([{ kind: 'brought', sizeBytes: 11, isEncrypted: false }, []])
    expect((await institute.owner.get(`/server/backups/${name}/contents`)).body.reason).toBe('not_a_backup')
  })

  test('is the owner’s alone, and gives nothing that is not among its backups', async () => {
    await fill()
    store.seen.length = 0
    const other = await institute.member({ role: 'admin' })
    expect((await other.get('/server/backups/bucket')).status).toBe(403)
    expect((await other.post(`/server/backups/bucket/${NEW}/fetch`, {})).status).toBe(403)
    for (const name of ['letter.pdf', `${NEW}.age`, encodeURIComponent(`../another/${NEW}`)])
      expect((await fetchOne(name)).status).toBe(404)
    expect(store.seen.filter((one) => one.includes('.age') && one.startsWith('GET'))).toEqual([])
  })

  test.each([
    ['may_not_list', 403, 'AccessDenied', ''],
    ['wrong_key', 403, 'InvalidAccessKeyId', ''],
    ['wrong_secret', 403, 'SignatureDoesNotMatch', ''],
    ['no_bucket', 404, 'NoSuchBucket', ''],
    ['other_region', 400, 'AuthorizationHeaderMalformed', '<Region>eu-central-1</Region>'],
    ['failed', 501, 'NotImplemented', ''],
  ])('that cannot be listed says %s, and nothing comes', async (reason, status, code, more) => {
    await fill()
    const { backups } = app.app.config
    // In the tests' store the secret is as its key.
    Object.assign(app.app.config, {
      backups: { ...backups, to: { s3: { ...store.settings, secret: SECRET }, under: '' } },
    })
    store.fault = () => ({ status, code, more })
    const { body } = await listed()
    expect(body).toMatchObject({ kept: [], reason })
    expect(body.detail === '').toBe(!['other_region', 'failed'].includes(reason))
    for (const secret of [SECRET, store.settings.keyId]) expect(JSON.stringify(body)).not.toContain(secret)
    expect((await fetchOne(NEW)).body.bucket).toMatchObject({ fetched: null, reason })
    expect(left()).toEqual([])
  })

  test('of which one may not be read says so, keeps nothing of it, and lets it be tried again', async () => {
    await fill()
    store.fault = (request) => (isGet(request) ? { status: 403, code: 'AccessDenied' } : undefined)
    expect((await fetchOne(NEW)).status).toBe(202)
    expect(await ended()).toMatchObject({ kept: [], bucket: { reason: 'may_not_read' } })
    expect(left()).toEqual([])
    store.fault = () => undefined
    await fetchOne(NEW)
    expect(await ended()).toMatchObject({ kept: [{ kind: 'brought' }], bucket: { reason: null } })
  })

  test('takes nothing else while one is on its way, and is left at once when the program stops', async () => {
    await fill()
    store.fault = (request) => (isGet(request) ? 'hang' : undefined)
    await fetchOne(NEW)
    await expect.poll(() => store.seen.some((one) => one.startsWith('GET') && one.includes('.age'))).toBe(true)
    expect(await fetchOne(OLD)).toMatchObject(refused(409, 'restore_busy'))
    expect(await institute.owner.delete('/server/backups/brought')).toMatchObject(refused(409, 'restore_busy'))
    const { dataDir } = app
    await app.app.close()
    expect(readdirSync(path.join(dataDir, '.brought'))).toEqual([])
  })

  test('has one that is too large for the disk: it is refused before a byte of it comes', async () => {
    await app.close()
    await begin({ to: await storeOfOne(NEW, Buffer.from('few bytes'), { size: 2 ** 43 }) })
    expect(await fetchOne(NEW)).toMatchObject(refused(409, 'no_room_for_backup'))
    expect(left()).toEqual([])
  })

  test('whose copy is of another size than it was said to be gives nothing', async () => {
    await app.close()
    await begin({ to: await storeOfOne(NEW, Buffer.from('more bytes than were said'), { size: 10 }) })
    await fetchOne(NEW)
    expect(await ended()).toMatchObject({ kept: [], bucket: { reason: 'failed' } })
    expect(left()).toEqual([])
  })

  test('is not there where the settings name none', async () => {
    await app.close()
    await begin({})
    expect((await state()).bucket).toBe(null)
    expect((await listed()).status).toBe(404)
    expect((await fetchOne(NEW)).status).toBe(404)
  })
})

test.runIf(engine === 'postgres')('a server with Postgres gives none, and says why', async () => {
  expect(await listed()).toMatchObject(refused(409, 'restored_by_postgres'))
  expect(await fetchOne(NEW)).toMatchObject(refused(409, 'restored_by_postgres'))
})
