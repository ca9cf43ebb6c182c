import { afterEach, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { headOf, RawConnection } from '#kit/raw-http.ts'

/** The program is told to stop while requests are running. */

let app: TestApp
let institute: TestInstitute
let connection: RawConnection
beforeEach(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  connection = await RawConnection.open(app.url)
})
afterEach(() => connection.destroy())

const BODY = JSON.stringify({ name: 'North' })

const begin = (): void => {
  const headers = {
    host: 'localhost',
    authorization: `Bearer ${institute.owner.credential}`,
    'content-type': 'application/json',
    'content-length': BODY.length,
  }
  connection.write(headOf('POST', '/api/v1/branches', headers) + BODY.slice(0, 5))
}

/** Waits until the server has begun to answer the request: it replies to one that was sent later. */
const hasBegun = async (): Promise<void> => void (await app.get('/health/live'))

test('a running change is made, and its caller is told; then the connection ends', async () => {
  begin()
  await hasBegun()
  const closed = app.close()
  connection.write(BODY.slice(5))
  const reply = await connection.reply()
  expect([reply?.status, reply?.body.name, reply?.headers.get('connection')]).toEqual([201, 'North', 'close'])
  await connection.closed
  await closed
})

test('nobody else gets in meanwhile', async () => {
  begin()
  await hasBegun()
  const closed = app.close()
  await expect(RawConnection.open(app.url)).rejects.toThrow('ECONNREFUSED')
  connection.write(BODY.slice(5))
  expect((await connection.reply())?.status).toBe(201)
  await closed
})

test('connections on which nothing runs do not hold it up', async () => {
  const used = await RawConnection.open(app.url)
  used.write(headOf('GET', '/api/v1/health/live', { host: 'localhost' }))
  expect((await used.reply())?.status).toBe(200)
  await app.app.close(60_000)
  await Promise.all([used.closed, connection.closed])
  await app.close()
})

test('a request that does not come to its end is cut off at the deadline', async () => {
  begin()
  await hasBegun()
  await app.close()
  await connection.closed
  expect(await connection.reply()).toBeUndefined()
})
