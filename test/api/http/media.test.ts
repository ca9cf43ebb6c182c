import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import { afterEach, expect, test } from 'vitest'
import { openChange, openRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import { content, form, redirect, upload, type ByteRange } from '#kernel/values/media.ts'
import { Ok, ok } from '#kernel/values/schema.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { headOf, RawConnection } from '#kit/raw-http.ts'

/** Endpoints that do not speak JSON, in planted modules that declare some of each kind. */

let app: TestApp
const open: RawConnection[] = []
afterEach(async () => {
  for (const connection of open.splice(0)) connection.destroy()
  await app.close()
})

const start = async (endpoints: readonly Endpoint[], config: Record<string, number> = {}): Promise<void> => {
  app = await startApp({ chance: true, config, modules: [{ name: 'planted', endpoints }] })
}
const connect = async (): Promise<RawConnection> => {
  const connection = await RawConnection.open(app.url)
  open.push(connection)
  return connection
}
/** Waits until it is true. */
const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await pause(5)
}

const common = { access: 'anyone', summary: 'Planted' } as const
const KIB = 1024

interface Received {
  type: string
  length: number
  bytes: number
  failed?: unknown
}

/** Accepts uploads at PUT /planted, and keeps what each request passed to it. */
const taking = (received: Received[], options: { stopAfter?: number } = {}): Endpoint =>
  openChange({
    ...common,
    id: 'planted.upload',
    method: 'PUT',
    path: '//planted',
    body: upload({ types: ['image/png'], maxBytes: 100 * KIB }),
    reply: Ok,
    prepare: async ({ body: { type, length, stream } }) => {
      const one: Received = { type, length, bytes: 0 }
      received.push(one)
      try {
        for await (const piece of stream) {
          one.bytes += piece.length
          if (options.stopAfter !== undefined && one.bytes >= options.stopAfter) throw new Error('no more room')
        }
      } catch (error) {
        one.failed = error
        throw error
      }
    },
    handle: async () => ok,
  })

const put = (body: string | Buffer, headers: Record<string, string> = { 'content-type': 'image/png' }) =>
  app.send('PUT', '//planted', { raw: body, headers })

test('an upload arrives as a stream before the transaction, with its type and its length', async () => {
  const received: Received[] = []
  await start([taking(received)])
  const reply = await put(Buffer.alloc(100 * KIB), { 'content-type': 'Image/PNG; name=x' })
  expect([reply.status, reply.body]).toEqual([200, ok])
  expect(received).toEqual([{ type: 'image/png', length: 100 * KIB, bytes: 100 * KIB }])
})

test('an upload of another type, without a length, or over the limit is refused before a byte is read', async () => {
  const received: Received[] = []
  await start([taking(received)])
  const malformed = { status: 400, body: { error: { code: 'MALFORMED_REQUEST' } } }
  expect(await put('x', { 'content-type': 'text/html' })).toMatchObject(malformed)
  expect(await put(Buffer.alloc(100 * KIB + 1))).toMatchObject(malformed)
  const connection = await connect()
  connection.write(
    headOf('PUT', '/planted', { host: 'x', 'content-type': 'image/png', 'transfer-encoding': 'chunked' }),
  )
  expect(await connection.reply()).toMatchObject(malformed)
  expect(received).toEqual([])
})

test('an upload that breaks off or stalls fails its reader, and is refused if the client still listens', async () => {
  const received: Received[] = []
  await start([taking(received)], { bodySeconds: 1 })
  const head = headOf('PUT', '/planted', { host: 'x', 'content-type': 'image/png', 'content-length': 1000 })
  const broken = await connect()
  broken.write(`${head}some`)
  await until(() => received.length === 1)
  broken.destroy()
  await until(() => received[0]?.failed !== undefined)
  const stalled = await connect()
  stalled.write(`${head}some`)
  expect(await stalled.reply()).toMatchObject({ status: 400, body: { error: { code: 'MALFORMED_REQUEST' } } })
  await stalled.closed
  expect(received.map(({ bytes }) => bytes)).toEqual([4, 4])
})

test('a failure during an upload is sent to the client, and the connection ends', async () => {
  const received: Received[] = []
  await start([taking(received, { stopAfter: 1 })])
  const connection = await connect()
  connection.write(headOf('PUT', '/planted', { host: 'x', 'content-type': 'image/png', 'content-length': 90 * KIB }))
  connection.write('some')
  const reply = await connection.reply()
  expect([reply?.status, reply?.headers.get('connection')]).toEqual([500, 'close'])
  await connection.closed
})

test('the number of concurrent uploads is limited; one that ends makes room', async () => {
  const received: Received[] = []
  await start([taking(received)], { transfersPerNetwork: 1 })
  const first = await connect()
  first.write(headOf('PUT', '/planted', { host: 'x', 'content-type': 'image/png', 'content-length': 4 }))
  first.write('so')
  await until(() => received.length === 1)
  const refused = await put('some')
  expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([
    429,
    'RATE_LIMITED',
    '1',
  ])
  first.write('me')
  expect((await first.reply())?.status).toBe(200)
  expect((await put('some')).status).toBe(200)
})

test('a client that sends Expect: 100-continue gets 100 once the request is admitted', async () => {
  const received: Received[] = []
  await start([taking(received)])
  const connection = await connect()
  const headers = { host: 'x', 'content-type': 'image/png', 'content-length': 4, expect: '100-continue' }
  connection.write(headOf('PUT', '/planted', headers))
  expect((await connection.reply())?.status).toBe(100)
  connection.write('some')
  expect((await connection.reply())?.status).toBe(200)
})

const TEXT = 'abcdefghij'

interface Opened {
  range: ByteRange | undefined
  ended: boolean
}

/** Streams the text at GET /planted. */
const giving = (opened: Opened[], size = TEXT.length): Endpoint =>
  openRead({
    ...common,
    id: 'planted.content',
    path: '//planted',
    reply: content(['text/plain']),
    handle: async () => ({
      type: 'text/plain; charset=utf-8',
      etag: '"one"',
      download: 'דוח.txt',
      body: {
        size,
        open: async function* (range?: ByteRange) {
          const one: Opened = { range, ended: false }
          opened.push(one)
          try {
            if (size === TEXT.length) yield Buffer.from(TEXT.slice(range?.start ?? 0, (range?.end ?? size) + 1))
            else for (let sent = 0; sent < size; sent += 64 * KIB) yield Buffer.alloc(64 * KIB)
          } finally {
            one.ended = true
          }
        },
      },
    }),
  })

const get = (headers: Record<string, string> = {}, method = 'GET') => app.send(method, '//planted', { headers })

test('content is streamed with its type, under the name for saving it', async () => {
  const opened: Opened[] = []
  await start([giving(opened)])
  const reply = await get()
  expect([reply.status, reply.body]).toEqual([200, TEXT])
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'content-length': '10',
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    etag: '"one"',
    'content-disposition': `attachment; filename="???.txt"; filename*=UTF-8''%D7%93%D7%95%D7%97.txt`,
  })
  expect(opened).toEqual([{ range: undefined, ended: true }])
})

test('HEAD, and a client that has the content, get only the headers; nothing is opened for them', async () => {
  const opened: Opened[] = []
  await start([giving(opened)])
  const head = await get({}, 'HEAD')
  expect([head.status, head.body, head.headers.get('content-length')]).toEqual([200, undefined, '10'])
  const had = await get({ 'if-none-match': 'W/"one"' })
  expect([had.status, had.body, had.headers.get('etag')]).toEqual([304, undefined, '"one"'])
  expect(opened).toEqual([])
})

test.each([
  ['bytes=2-4', 'cde', 'bytes 2-4/10'],
  ['bytes=7-', 'hij', 'bytes 7-9/10'],
  ['bytes=-3', 'hij', 'bytes 7-9/10'],
  ['bytes=8-100', 'ij', 'bytes 8-9/10'],
  // RFC 9110, 14.1.2: what is shorter than the suffix is sent as a whole.
  ['bytes=-11', TEXT, 'bytes 0-9/10'],
  ['bytes= -99999999999999999999', TEXT, 'bytes 0-9/10'],
])('the range %s is served', async (range, text, said) => {
  await start([giving([])])
  const reply = await get({ range })
  expect([reply.status, reply.body]).toEqual([206, text])
  expect(reply.headers.get('content-range')).toBe(said)
  expect(reply.headers.get('content-length')).toBe(String(text.length))
})

test.each([
  ['is no range', { range: 'a bit of it' }],
  ['counts in something else', { range: 'lines=1-2' }],
  ['is several', { range: 'bytes=0-1,4-5' }],
  ['is several, one of them longer than the content', { range: 'bytes=0-1, -11' }],
  ['goes on from an earlier version', { range: 'bytes=2-4', 'if-range': '"zero"' }],
])('a range request that %s gets the whole content', async (_, headers) => {
  await start([giving([])])
  const reply = await get(headers)
  expect([reply.status, reply.body]).toEqual([200, TEXT])
})

test('a range of the current version is sent; one beyond the end is 416 and names the size', async () => {
  await start([giving([])])
  expect((await get({ range: 'bytes=2-4', 'if-range': '"one"' })).body).toBe('cde')
  for (const range of ['bytes=10-', 'bytes=-0']) {
    const reply = await get({ range })
    expect(reply).toMatchObject({ status: 416, body: { error: { code: 'VALIDATION_ERROR', details: { size: 10 } } } })
    expect(reply.headers.get('content-range')).toBe('bytes */10')
  }
})

test('a client that disconnects, or reads nothing, ends its stream', async () => {
  const opened: Opened[] = []
  await start([giving(opened, 1024 * 1024 * KIB)], { replySeconds: 1, transfersPerNetwork: 2 })
  const ask = headOf('GET', '/planted', { host: 'x' })
  const gone = await connect()
  gone.write(ask)
  await until(() => opened.length === 1)
  gone.destroy()
  await until(() => opened[0]?.ended === true)
  const idle = await connect()
  idle.socket.pause()
  idle.write(ask)
  await until(() => opened[1]?.ended === true)
  // Both have ended and freed their places.
  expect((await get({ range: 'bytes=0-0' }, 'HEAD')).status).toBe(200)
})

test('a connection goes on after a finished download, for longer than a reader may take', async () => {
  await start([giving([])], { replySeconds: 1 })
  const connection = await connect()
  const ask = headOf('GET', '/planted', { host: 'x' })
  const end = performance.now() + 1500
  while (performance.now() < end) {
    connection.write(ask)
    expect(await connection.reply()).toMatchObject({ status: 200, body: TEXT })
    await pause(50)
  }
})

test('a form is read as its schema asks, and nothing else is accepted as a form', async () => {
  const given: unknown[] = []
  await start([
    openChange({
      ...common,
      id: 'planted.form',
      method: 'POST',
      path: '//planted',
      body: form(v.object({ name: v.string(), count: v.number(), wanted: v.optional(v.boolean()) })),
      reply: Ok,
      handle: async ({ body }) => {
        given.push(body)
        return ok
      },
    }),
  ])
  const send = (raw: string, type = 'application/x-www-form-urlencoded') =>
    app.send('POST', '//planted', { raw, headers: { 'content-type': type } })
  expect((await send('name=%D7%93%D7%95%D7%97+1&count=2&wanted=true&more=x')).status).toBe(200)
  expect(given).toEqual([{ name: 'דוח 1', count: 2, wanted: true }])
  expect(await send('name=x')).toMatchObject({ status: 422, body: { error: { code: 'VALIDATION_ERROR' } } })
  expect(await send('name=%00&count=1')).toMatchObject({ status: 422 })
  expect(await send('{"name":"x","count":1}', 'application/json')).toMatchObject({ status: 400 })
})

test('a redirect sends the client elsewhere', async () => {
  await start([
    openRead({
      ...common,
      id: 'planted.redirect',
      path: '//planted',
      reply: redirect,
      handle: async () => ({ location: '/docs' }),
    }),
  ])
  const reply = await get()
  expect([reply.status, reply.headers.get('location'), reply.body]).toEqual([302, '/docs', undefined])
})
