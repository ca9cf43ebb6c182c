import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { client } from '#kit/client.ts'
import { startCuttingProxy, type CuttingProxy } from '#kit/cutting-proxy.ts'
import { announced, local, png, sha256 } from '#kit/files.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { connectMcp, newKey } from '#kit/mcp.ts'
import { newGroup, newPupil } from '../examples/sessions.ts'
import { tableOf } from '../imports/importing.ts'

/** Programs behind a proxy that ends each request after a while: what they sent is done once, and nothing of it is lost. */

let app: TestApp
let institute: TestInstitute
let proxy: CuttingProxy
beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app, { features: { mcp: true } })
  proxy = await startCuttingProxy(app.url)
})
afterAll(async () => {
  await proxy.close()
  await app.close()
})

const through = () => client(proxy.url, institute.owner.credential)

test('an upload that is cut halfway leaves nothing, and is whole when it is sent again to the same address', async () => {
  const bytes = png('x'.repeat(2 * 1024 * 1024))
  const { body: upload } = await through().post('/files/upload-url', announced(bytes))
  const address = proxy.url + local(upload.uploadUrl).slice(1)
  const send = () => fetch(address, { method: 'PUT', body: bytes, headers: { 'content-type': 'image/png' } })
  void proxy.cut('PUT', /^\/files\//, 'sending')
  await expect(send()).rejects.toThrow('fetch failed')
  const completion = { ...announced(bytes), storageKey: upload.storageKey, sha256: sha256(bytes) }
  expect((await through().post('/files/complete', completion)).status).toBe(422)
  proxy.wait()
  expect((await send()).status).toBe(200)
  expect((await through().post('/files/complete', completion)).status).toBe(201)
})

test('an import goes on by itself, and is the same one when it is asked for again under its key', async () => {
  const fileId = await tableOf(app, institute.owner, 'First name,Last name,Mobile\r\nLate,Answer,0501330031')
  const ask = () =>
    through().send('POST', '/imports', {
      body: { kind: 'students', fileId },
      headers: { 'idempotency-key': 'import-1' },
    })
  const isCut = proxy.cut('POST', /\/imports$/, 'waiting')
  expect((await ask()).status).toBe(504)
  await isCut
  proxy.wait()
  await app.drain()
  const found = async () => (await institute.owner.get('/students?q=Answer')).body.data.length
  expect(await found()).toBe(1)
  const again = await ask()
  expect(again.status).toBe(202)
  await app.drain()
  expect((await institute.owner.get(`/imports/${again.body.id}`)).body).toMatchObject({ status: 'done', created: 1 })
  expect((await institute.owner.get('/imports')).body.data).toHaveLength(1)
  expect(await found()).toBe(1)
})

test('an assistant whose call was cut is told what was done when it calls again with the same key', async () => {
  const studentId = await newPupil(institute, await newGroup(institute))
  const groupId = await newGroup(institute)
  const assistant = await connectMcp(proxy, await newKey(institute, ['mcp.access', 'enrollments.write']))
  const call = () => assistant.call('enrollment_create', { studentId, groupId, idempotencyKey: 'enroll-1' })
  const isCut = proxy.cut('POST', /^\/mcp/, 'waiting')
  await expect(call()).rejects.toThrow('504')
  await isCut
  proxy.wait()
  expect((await call()).text).toMatch(/^This was done before/)
  expect((await institute.owner.get(`/groups/${groupId}/enrollments`)).body.data).toHaveLength(1)
})

test('a list in a file that is cut is no whole one for a program either', async () => {
  const isCut = proxy.cut('GET', /\/students\?format=csv/, 'answering')
  await expect(through().get('/students?format=csv')).rejects.toThrow()
  await isCut
  proxy.wait()
  expect((await through().get('/students?format=csv')).status).toBe(200)
})
