import { existsSync, readdirSync } from 'node:fs'
import { once } from 'node:events'
import { request } from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newBackupKey } from '#app/backup/encryption.ts'
import { sweepBroughtJob } from '#app/server/module.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf } from '#kit/records.ts'
import { emailOf, PASSWORD } from '#kit/sign-in.ts'

let app: TestApp
let institute: TestInstitute
let token: string
beforeEach(async () => {
  app = await startApp({ config: { accessTokenSeconds: 7 * 86_400 } })
  institute = await makeInstitute(app)
  const signIn = { email: emailOf(institute.ownerUserId), password: PASSWORD, client: 'mobile' }
  token = (await app.post('/auth/login', signIn)).body.accessToken
})
afterEach(() => app.close())

const BROUGHT = '/api/v1/server/backups/brought'
const headers = () => ({ Authorization: `Bearer ${token}`, 'Content-Type': 'application/gzip' })
const bring = async (body: string) => {
  const reply = await fetch(app.url + BROUGHT, { method: 'PUT', headers: headers(), body })
  return { status: reply.status, body: (await reply.json()) as Record<string, never> }
}
/** Begins to send a file of this length, and leaves the rest to the test. */
const beginToBring = (length: number) =>
  request(app.url + BROUGHT, { method: 'PUT', headers: { ...headers(), 'Content-Length': length } })
const kept = async (): Promise<{ name: string; kind: string }[]> =>
  (await institute.owner.get('/server/backups')).body.kept
const refused = (status: number, reason: string) => ({ status, body: { error: { details: { reason } } } })
const left = () => (existsSync(folder()) ? readdirSync(folder()) : [])
const folder = () => path.join(app.dataDir, '.brought')
const sweep = async () => {
  await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) =>
    unit.system().enqueue(sweepBroughtJob, {}),
  )
  await app.drain()
}

describe.runIf(engine === 'sqlite')('a backup from elsewhere', () => {
  test('is one at a time, is none of those that this server made, and goes when somebody says so', async () => {
    expect(await bring('a letter')).toMatchObject({
      status: 200,
      body: { kept: [{ kind: 'brought', isWhole: false }] },
    })
    app.clock.advance(60)
    // It is no backup of this server: there is still none.
    expect(await bring('another letter')).toMatchObject({ status: 200, body: { state: 'warning' } })
    const [one, ...others] = await kept()
    expect(others).toEqual([])
    const { name } = one as { name: string }
    expect((await institute.owner.post(`/server/backups/${name}/download`, { password: PASSWORD })).status).toBe(404)
    expect((await institute.owner.get(`/server/backups/${name}/contents`)).body).toMatchObject({
      reason: 'not_a_backup',
    })
    expect((await institute.owner.get('/server/backups/..%2Fmaster-key/contents')).status).toBe(404)
    expect((await institute.owner.post('/server/backups/none.tar.gz/open', { key: 'x' })).status).toBe(404)
    expect((await institute.owner.delete('/server/backups/brought')).body.kept).toEqual([])
    expect(left()).toEqual([])
    expect(await auditOf(app, institute, 'server.bring-backup')).toMatchObject([
      { metadata: { name: expect.stringMatching(/^brought-/) } },
      {},
    ])
    expect(await auditOf(app, institute, 'server.remove-brought')).toHaveLength(1)
  })

  test('that breaks off on its way leaves nothing, and no other is taken meanwhile', async () => {
    const first = beginToBring(1000)
    first.on('error', () => {})
    first.write('x'.repeat(100))
    await expect.poll(left).toMatchObject([expect.stringMatching(/\.partial$/)])
    expect(await bring('y')).toMatchObject(refused(409, 'restore_busy'))
    expect(await institute.owner.delete('/server/backups/brought')).toMatchObject(refused(409, 'restore_busy'))
    first.destroy()
    await expect.poll(left).toEqual([])
    expect(await kept()).toEqual([])
    expect((await bring('y')).status).toBe(200)
  })

  test('for which the disk has no room is refused before a byte of it is taken', async () => {
    const huge = beginToBring(2 ** 43)
    huge.flushHeaders()
    const [reply] = await once(huge, 'response')
    expect(reply.statusCode).toBe(409)
    expect(JSON.parse(await text(reply))).toMatchObject({
      error: { details: { reason: 'no_room_for_backup', mostBytes: expect.any(Number) } },
    })
    huge.destroy()
    expect(left()).toEqual([])
  })

  test('is opened by one at a time', async () => {
    expect((await bring('age-encryption.org/v1\nand nothing that a key opens')).status).toBe(200)
    const [{ name } = { name: '' }] = await kept()
    const { identity: key } = await newBackupKey()
    const open = () => institute.owner.post(`/server/backups/${name}/open`, { key })
    const both = await Promise.all([open(), open()])
    expect(both.map(({ status }) => status).toSorted()).toEqual([202, 409])
    expect(both.find(({ status }) => status === 409)).toMatchObject(refused(409, 'restore_busy'))
  })

  test('stays for a day, if nobody restores it', async () => {
    await bring('a letter')
    app.clock.advance(24 * 3600 - 1)
    await sweep()
    expect(left()).toHaveLength(1)
    app.clock.advance(1)
    await sweep()
    expect(left()).toEqual([])
  })
})

test.runIf(engine === 'postgres')('a server with Postgres takes none, and says why', async () => {
  expect(await bring('a letter')).toMatchObject(refused(409, 'restored_by_postgres'))
  expect(await institute.owner.post('/server/backups/x/open', { key: 'x' })).toMatchObject(
    refused(409, 'restored_by_postgres'),
  )
  expect((await institute.owner.get('/server/backups')).body).toMatchObject({ mostBytes: 0, kept: [] })
})
