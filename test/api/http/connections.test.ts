import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import type { Reply } from '#kit/client.ts'
import { collectGarbage } from '#kit/garbage.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { headOf, RawConnection } from '#kit/raw-http.ts'
import { volume } from '#kit/volume.ts'

/**
 * Connections that do what no client does: send slowly, stop in the middle, announce or send too much, continue after a
 * refusal, never read. The server answers each in the error envelope where it can, spends bounded memory and time on
 * it, and closes it.
 */
const KIB = 1024
const MIB = 1024 * KIB

let app: TestApp
let institute: TestInstitute
const open: RawConnection[] = []

const start = async (config: Record<string, number> = {}): Promise<void> => {
  app = await startApp({ config: { ...NO_LIMITS, ...config } })
  institute = await makeInstitute(app)
}
afterEach(async () => {
  for (const connection of open.splice(0)) connection.destroy()
  await app.close()
})

const connect = async (from?: string): Promise<RawConnection> => {
  const connection = await RawConnection.open(app.url, from)
  open.push(connection)
  return connection
}

const head = (method: string, path: string, headers: Record<string, string | number> = {}): string =>
  headOf(method, `/api/v1${path}`, { host: 'localhost', 'content-type': 'application/json', ...headers })
const bearer = () => ({ authorization: `Bearer ${institute.owner.credential}` })
const postBranch = (headers: Record<string, string | number>): string =>
  head('POST', '/branches', { ...bearer(), ...headers })

/** @throws when it takes longer than so many milliseconds */
const within = async <T>(millis: number, what: string, work: Promise<T>): Promise<T> => {
  const stop = new AbortController()
  const late = pause(millis, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`${what} took longer than ${millis} ms`)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    stop.abort()
    late.catch(() => {})
  }
}
const SOON = 10_000

const replyOf = (connection: RawConnection): Promise<Reply | undefined> =>
  within(SOON, 'the answer', connection.reply())
const closing = (connection: RawConnection): Promise<void> => within(SOON, 'the closing', connection.closed)

/** The refusal, in the envelope, once the connection is closed as the reply announces. */
const refusalOf = async (connection: RawConnection) => {
  const reply = await replyOf(connection)
  const closes = reply?.headers.get('connection') === 'close'
  if (closes) await closing(connection)
  const { code, requestId } = reply?.body?.error ?? {}
  return { status: reply?.status, code, closes, isIdentified: requestId === reply?.headers.get('x-request-id') }
}
const refused = (status: number, code: string) => ({ status, code, closes: true, isIdentified: true })
const MALFORMED = refused(400, 'MALFORMED_REQUEST')

const isWell = async (): Promise<void> => {
  expect((await app.get('/health/live')).status).toBe(200)
  expect((await institute.owner.post('/branches', { name: `Branch ${Math.random()}` })).status).toBe(201)
}

test('a body that arrives too slowly is refused at its time limit', async () => {
  await start({ bodySeconds: 1 })
  const connection = await connect()
  connection.write(postBranch({ 'content-length': 1000 }))
  const trickle = setInterval(() => connection.write(' '), 50)
  try {
    expect(await refusalOf(connection)).toEqual(MALFORMED)
  } finally {
    clearInterval(trickle)
  }
  await isWell()
})

test.each(['content-length: 1000', 'transfer-encoding: chunked'])(
  'an incomplete body (%s) is refused at its time limit',
  async (length) => {
    await start({ bodySeconds: 1 })
    const connection = await connect()
    const [name, value] = length.split(': ') as [string, string]
    connection.write(postBranch({ [name]: value }))
    connection.write('5\r\n{"nam')
    expect(await refusalOf(connection)).toEqual(MALFORMED)
    await isWell()
  },
)

/** Sends all but the last byte of a body. Resolves when the bytes are sent, or refused. */
const stopShort = async (connection: RawConnection, request: string, body: Buffer): Promise<void> => {
  connection.write(request)
  const { socket } = connection
  if (connection.write(body.subarray(1))) return
  await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), connection.closed])
}

const usedBytes = (): number => {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test.each([
  [volume(300, 1100), 'a user', MIB, () => postBranch({ 'content-length': MIB })],
  [volume(400, 1100), 'nobody', 64 * KIB, () => head('POST', '/auth/login', { 'content-length': 64 * KIB })],
])(
  '%i incomplete bodies of %s use bounded memory, and are refused beyond it',
  async (count, _, size, request) => {
    const [AT_ONCE, HELD] = [50, 16 * MIB]
    await start()
    const body = Buffer.alloc(size, ' ')
    const before = usedBytes()
    let growth = 0
    const replies: (Reply | undefined)[] = []
    // Stop before the test itself takes gigabytes.
    while (open.length < count && growth < 150 * MIB) {
      const some = await Promise.all(Array.from({ length: AT_ONCE }, () => connect()))
      for (const one of some) void one.reply().then((reply) => replies.push(reply))
      await Promise.all(some.map((one) => stopShort(one, request(), body)))
      growth = Math.max(growth, usedBytes() - before)
    }
    expect(growth).toBeLessThan(100 * MIB)
    const mayHold = HELD / size
    await expect.poll(() => replies.length, { timeout: 3 * SOON }).toBeGreaterThanOrEqual(count - mayHold - 1)
    expect(replies.length).toBeLessThan(count)
    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } })
      expect(reply?.headers.get('connection')).toBe('close')
      expect(Number(reply?.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    await expect.poll(() => open.filter((one) => one.isClosed).length - replies.length, { timeout: SOON }).toBe(0)
    // Closed connections free their share.
    for (const connection of open.splice(0)) connection.destroy()
    await expect.poll(() => app.get('/branches/x').then(({ status }) => status)).toBe(404)
    await expect
      .poll(() => institute.owner.post('/branches', { name: `Branch ${Math.random()}` }).then(({ status }) => status))
      .toBe(201)
  },
  60_000,
)

/** Sends one complete valid request from an address. */
const postFrom = async (from: string, bytes: number): Promise<Reply | undefined> => {
  const connection = await connect(from)
  connection.write(postBranch({ 'content-length': bytes, connection: 'close' }))
  connection.write(JSON.stringify({ name: `Branch ${Math.random()}` }).padEnd(bytes, ' '))
  return replyOf(connection)
}
const statusFrom = async (from: string, bytes: number): Promise<number | undefined> =>
  (await postFrom(from, bytes))?.status

test('the bytes of bodies in progress are limited per address and in total, until they arrive, end or time out', async () => {
  await start({ bodySeconds: 8, bodyBytesPerNetwork: 256 * KIB, bodyBytesInAll: 850 * KIB })
  // The server counts a part of a body as slightly more than its bytes.
  const size = 100 * KIB
  const hold = async (from: string): Promise<RawConnection[]> => {
    const two = [await connect(from), await connect(from)]
    for (const one of two) {
      one.write(postBranch({ 'content-length': size, expect: '100-continue' }))
      expect((await replyOf(one))?.status).toBe(100)
      await stopShort(one, '', Buffer.alloc(size, ' '))
    }
    // In each turn of its event loop the server reads a part from every connection: after these turns it has read
    // everything.
    for (let turn = 0; turn < 10; turn += 1) await app.get('/health/live')
    return two
  }
  const held = await hold('127.0.0.2')
  await expect.poll(() => statusFrom('127.0.0.2', size), { interval: 20, timeout: SOON }).toBe(429)
  expect(await statusFrom('127.0.0.3', size)).toBe(201)

  for (const address of ['127.0.0.3', '127.0.0.4', '127.0.0.5']) held.push(...(await hold(address)))
  await expect.poll(() => statusFrom('127.0.0.6', size), { interval: 20, timeout: SOON }).toBe(429)
  // Some hang up, the others time out.
  for (const one of held.slice(0, 2)) one.destroy()
  await expect.poll(() => statusFrom('127.0.0.6', size), { interval: 20, timeout: SOON }).toBe(201)
  for (const one of held.slice(2)) expect(await refusalOf(one)).toEqual(MALFORMED)
  for (const address of ['127.0.0.3', '127.0.0.4', '127.0.0.5']) expect(await statusFrom(address, size)).toBe(201)
})

const TOO_MUCH = [
  ['a user', () => postBranch({ 'content-length': MIB + 1 })],
  ['nobody', () => head('POST', '/auth/login', { 'content-length': 64 * KIB + 1 })],
  ['a user who is asked for no body', () => head('POST', '/auth/logout', { ...bearer(), 'content-length': MIB + 1 })],
] as const

test.each(TOO_MUCH)('more than %s may send is refused before the body is sent', async (_, request) => {
  await start()
  const connection = await connect()
  connection.write(request())
  expect(await refusalOf(connection)).toEqual(MALFORMED)
})

test.each(TOO_MUCH)('more than %s may send is refused without a 100 Continue', async (_, request) => {
  await start()
  const connection = await connect()
  connection.write(request().replace('\r\n\r\n', '\r\nexpect: 100-continue\r\n\r\n'))
  expect(await refusalOf(connection)).toEqual(MALFORMED)
})

test('a body that is announced with Expect: 100-continue is asked for, and accepted', async () => {
  await start()
  const connection = await connect()
  const body = JSON.stringify({ name: 'North' })
  connection.write(postBranch({ 'content-length': body.length, expect: '100-continue' }))
  expect(await replyOf(connection)).toMatchObject({ status: 100 })
  connection.write(body)
  expect(await replyOf(connection)).toMatchObject({ status: 201, body: { name: 'North' } })
})

const CHUNK = `4000\r\n${' '.repeat(16 * KIB)}\r\n`
/** Far more than the buffers of two sockets hold. */
const FLOOD = 256 * MIB
const TAKEN = 32 * MIB

/** Sends this repeatedly until the server closes the connection. @returns the number of bytes sent */
const flood = async (connection: RawConnection, chunk: string | Buffer): Promise<number> => {
  let sent = 0
  while (!connection.isClosed && sent < FLOOD) {
    const { socket } = connection
    const more = connection.write(chunk)
    sent += chunk.length
    if (more) await pause(0)
    else await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), connection.closed])
  }
  return sent
}

test.each([
  ['a user', MIB, () => postBranch({ 'transfer-encoding': 'chunked' })],
  ['nobody', 64 * KIB, () => head('POST', '/auth/login', { 'transfer-encoding': 'chunked' })],
])('endless chunks of %s are refused at the limit, and not read any further', async (_, limit, request) => {
  await start()
  const listening = await connect()
  listening.write(request() + CHUNK.repeat(limit / (16 * KIB) + 1))
  expect(await refusalOf(listening)).toEqual(MALFORMED)

  const deaf = await connect()
  deaf.write(request())
  expect(await within(2 * SOON, 'the flood', flood(deaf, CHUNK))).toBeLessThan(TAKEN)
  await isWell()
})

test('a valid request followed by garbage is answered; the garbage closes the connection', async () => {
  await start()
  const body = JSON.stringify({ name: 'North' })
  const connection = await connect()
  connection.write(`${postBranch({ 'content-length': body.length })}${body}\0\x01garbage\r\n\r\n`)
  expect(await replyOf(connection)).toMatchObject({ status: 201, body: { name: 'North' } })
  const then = await replyOf(connection)
  if (then !== undefined) expect(then).toMatchObject({ status: 400, body: { error: { code: 'MALFORMED_REQUEST' } } })
  await closing(connection)
  const { body: branches } = await institute.owner.get('/branches')
  expect(branches.map(({ name }: { name: string }) => name)).toContain('North')
})

test('two valid requests in one packet are both answered, in order', async () => {
  await start()
  const body = JSON.stringify({ name: 'North' })
  const connection = await connect()
  connection.write(`${postBranch({ 'content-length': body.length })}${body}${head('GET', '/branches', bearer())}`)
  expect(await replyOf(connection)).toMatchObject({ status: 201 })
  expect(await replyOf(connection)).toMatchObject({ status: 200, body: expect.any(Array) })
})

const withHeader = (line: string) => (request: string) => request.replace('\r\n\r\n', `\r\n${line}\r\n\r\n`)

test.each([
  ['without a Host', (request: string) => request.replace('host: localhost\r\n', ''), 'Host'],
  ['with two Hosts', withHeader('HOST: elsewhere'), 'Host'],
  ['with the same Host twice', withHeader('host: localhost'), 'Host'],
  ['in HTTP/2.0', (request: string) => request.replace('HTTP/1.1', 'HTTP/2.0'), 'HTTP/2.0'],
  ['in HTTP/0.9', (request: string) => request.replace('HTTP/1.1', 'HTTP/0.9'), 'HTTP/0.9'],
  ['in an unknown encoding', withHeader('content-encoding: unknown'), 'Content-Encoding'],
  ['in a known encoding', withHeader('content-encoding: gzip'), 'Content-Encoding'],
  ['that expects what there is not', withHeader('expect: something'), 'Expect'],
])('a request %s is refused in the envelope, which names it', async (_, spoil, named) => {
  await start()
  const connection = await connect()
  connection.write(spoil(head('GET', '/branches', bearer())))
  expect(await replyOf(connection)).toMatchObject({
    status: 400,
    body: { error: { code: 'MALFORMED_REQUEST', details: { reason: expect.stringContaining(named) } } },
  })
})

test('a request whose encoding is said to be none is served', async () => {
  await start()
  const connection = await connect()
  connection.write(withHeader('content-encoding: Identity')(head('GET', '/branches', bearer())))
  expect((await replyOf(connection))?.status).toBe(200)
})

test('a client that never reads its replies is cut off, and costs bounded memory', async () => {
  await start({ replySeconds: 1 })
  const before = usedBytes()
  const connection = await connect()
  connection.socket.pause()
  connection.write(headOf('GET', '/openapi.json', { host: 'localhost' }).repeat(500))
  // A client notices that it was cut off only when it sends.
  const poke = setInterval(() => connection.write('\r\n'), 50)
  try {
    await within(2 * SOON, 'the cut', new Promise((resolve) => connection.socket.once('close', resolve)))
  } finally {
    clearInterval(poke)
  }
  expect(usedBytes() - before).toBeLessThan(100 * MIB)
  await isWell()
})

const REFUSED = [
  ['401', 'UNAUTHORIZED', (headers: Record<string, string | number>) => head('POST', '/branches', headers)],
  [
    '404',
    'NOT_FOUND',
    (headers: Record<string, string | number>) => head('POST', '/nothing', { ...bearer(), ...headers }),
  ],
] as const

test.each(REFUSED)(
  'after a %s the server does not wait for a large body, or one of unknown length',
  async (status, code, request) => {
    await start()
    for (const length of [{ 'content-length': 64 * KIB + 1 }, { 'transfer-encoding': 'chunked' }]) {
      const connection = await connect()
      connection.write(request(length))
      expect(await refusalOf(connection)).toEqual(refused(Number(status), code))
    }
  },
)

test.each(REFUSED)('after a %s an endless body is not read any further', async (_, __, request) => {
  await start()
  for (const length of [{ 'content-length': FLOOD }, { 'transfer-encoding': 'chunked' }]) {
    const connection = await connect()
    connection.write(request(length))
    expect(await within(2 * SOON, 'the flood', flood(connection, CHUNK))).toBeLessThan(TAKEN)
  }
  await isWell()
})

test.each(REFUSED)('after a %s a small body is discarded, and the connection continues', async (status, _, request) => {
  await start({ bodySeconds: 1 })
  const connection = await connect()
  connection.write(`${request({ 'content-length': 1000 })}${' '.repeat(1000)}${head('GET', '/health/live')}`)
  expect((await replyOf(connection))?.status).toBe(Number(status))
  expect((await replyOf(connection))?.status).toBe(200)
  // The time limit of a body includes the part that is discarded.
  connection.write(request({ 'content-length': 1000 }))
  expect((await replyOf(connection))?.status).toBe(Number(status))
  await closing(connection)
})

test('an endless body of a GET is not read any further', async () => {
  await start()
  for (const length of [{ 'content-length': FLOOD }, { 'transfer-encoding': 'chunked' }]) {
    const connection = await connect()
    connection.write(head('GET', '/health/live', length))
    expect(await within(2 * SOON, 'the flood', flood(connection, CHUNK))).toBeLessThan(TAKEN)
  }
})
