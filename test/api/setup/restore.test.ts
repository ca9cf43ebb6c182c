import { request } from 'node:http'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import { newSetup } from '#kit/setup.ts'

let app: TestApp
afterEach(() => app.close())

const token = () => app.app.setupToken.read() ?? ''
const call = async (method: string, address: string, more: { body?: string; headers: Record<string, string> }) => {
  const reply = await fetch(`${app.url}/setup/restore${address}`, { method, ...more })
  return { status: reply.status, body: await reply.json() }
}
const read = (setupToken = token()) => call('GET', '', { headers: { 'X-Setup-Token': setupToken } })
const send = (body: string, setupToken = token()) =>
  call('PUT', '/file', { body, headers: { 'X-Setup-Token': setupToken, 'Content-Type': 'application/gzip' } })
const post = (address: string, body: object) =>
  call('POST', address, { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } })
const refused = (status: number, reason?: string) => ({
  status,
  body: { error: reason === undefined ? {} : { details: { reason } } },
})

/** Begins to send a file of this length, and leaves the rest to the test. */
const beginToSend = (length: number) =>
  request(`${app.url}/setup/restore/file`, {
    method: 'PUT',
    headers: { 'X-Setup-Token': token(), 'Content-Type': 'application/gzip', 'Content-Length': length },
  })

describe.runIf(engine === 'sqlite')('a restore on a server without an institute', () => {
  test('is for whoever has the setup code, until there is an institute', async () => {
    app = await startApp()
    for (const reply of [
      await read('wrong'),
      await send('x', 'wrong'),
      await post('/check', { setupToken: 'wrong' }),
      await post('', { setupToken: 'wrong' }),
    ])
      expect(reply).toMatchObject({ status: 401, body: { error: { code: 'TOKEN_INVALID' } } })
    expect((await send('not a backup')).body).toMatchObject({ step: 'uploaded' })
    const setupToken = token()
    expect((await app.post('/setup/bootstrap', newSetup(setupToken))).status).toBe(201)
    for (const reply of [
      await read(setupToken),
      await send('x', setupToken),
      await post('/check', { setupToken }),
      await post('', { setupToken }),
    ])
      expect(reply.status).toBe(404)
    await app.drain()
    expect(existsSync(path.join(app.dataDir, '.restore-from'))).toBe(false)
  })

  test('takes one file at a time, and only what there is can be checked and restored', async () => {
    app = await startApp()
    expect(await read()).toMatchObject({ status: 200, body: { step: 'none', held: null, reason: null } })
    const setupToken = token()
    expect(await post('/check', { setupToken })).toMatchObject(refused(409, 'nothing_to_restore'))
    expect(await post('', { setupToken })).toMatchObject(refused(409, 'nothing_to_restore'))

    const first = beginToSend(1000)
    first.on('error', () => {})
    first.write('x'.repeat(100))
    await expect.poll(() => existsSync(path.join(app.dataDir, '.restore-from', 'upload.partial'))).toBe(true)
    expect(await send('y')).toMatchObject(refused(409, 'restore_busy'))
    expect(await post('/check', { setupToken })).toMatchObject(refused(409, 'restore_busy'))
    // It breaks off: nothing of it stays.
    first.destroy()
    await expect.poll(async () => (await send('y')).status).toBe(200)
    expect(await read()).toMatchObject({ body: { step: 'uploaded', needsKey: false } })
    expect((await send('age-encryption.org/v1\nrest')).body).toMatchObject({ step: 'uploaded', needsKey: true })
  })

  test('says before a byte is sent that the disk has no room', async () => {
    app = await startApp()
    const huge = beginToSend(2 ** 43)
    huge.flushHeaders()
    const [reply] = await once(huge, 'response')
    expect(reply.statusCode).toBe(409)
    expect(JSON.parse(await text(reply))).toMatchObject({
      error: { details: { reason: 'no_room_for_backup', mostBytes: expect.any(Number) } },
    })
    huge.destroy()
    expect(existsSync(path.join(app.dataDir, '.restore-from', 'upload'))).toBe(false)
  })
})

describe.runIf(engine === 'postgres')('a server with Postgres', () => {
  test('says that it is restored by the tools of Postgres, and takes no file', async () => {
    app = await startApp()
    expect(await read()).toMatchObject({ body: { step: 'failed', reason: 'postgres_here' } })
    expect((await send('x')).status).toBe(404)
  })
})
