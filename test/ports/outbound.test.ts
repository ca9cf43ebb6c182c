import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { guardedOutbound, type GuardedOutboundOptions } from '#ports/outbound/guarded.ts'
import type { Outbound } from '#ports/outbound/port.ts'
import { afterRequest, answering, OK, rawReceiver, requestTo } from './outbound-kit.ts'

const opened: Outbound[] = []
const open = (options: Partial<GuardedOutboundOptions> = {}) => {
  const outbound = guardedOutbound({ policy: { requireHttps: false, blockPrivate: false }, ...options })
  opened.push(outbound)
  return outbound
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((outbound) => outbound.close()))
})

const CLOSED_EARLY = 'the connection was closed before the answer was complete'
// An upper bound for the bytes that a sender can write on one machine while nobody reads them.
const IN_KERNEL_BUFFERS = 16 * 2 ** 20
const NOT_HTTP = 'the answer is not valid HTTP'

/** Writes as fast as the socket accepts data, until it is closed. */
const forever = (socket: Socket, bytes: string | Buffer) => {
  const more = () => {
    while (socket.writable && socket.write(bytes));
  }
  socket.on('drain', more)
  more()
}

const every = (ms: number, socket: Socket, bytes: string) => {
  const timer = setInterval(() => socket.write(bytes), ms)
  socket.on('close', () => clearInterval(timer))
}

describe('a post', () => {
  test('sends method, path, headers and the exact bytes of the body', async () => {
    await using receiver = await rawReceiver(answering(OK))
    const body = '{"name":"ليلى","n":1.0}'
    const result = await open().post({
      url: `${receiver.url}?a=1#part`,
      headers: { 'content-type': 'application/json', 'x-service-event': 'student.created' },
      body,
    })
    expect(result).toMatchObject({ ok: true, status: 200, excerpt: 'ok', truncated: false })
    expect(result.durationMs).toBeLessThan(5000)
    const [head, sent] = receiver.received[0]!.split('\r\n\r\n')
    expect(head).toMatch(/^POST \/hook\?a=1 HTTP\/1\.1\r\n/)
    expect(head).toContain(`host: 127.0.0.1:${receiver.port}`)
    expect(head).toContain('content-type: application/json\r\nx-service-event: student.created')
    expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`)
    expect(Buffer.from(sent!, 'latin1').toString()).toBe(body)
  })

  test.each([301, 302, 303, 307, 308])('does not follow a %i', async (status) => {
    await using target = await rawReceiver(answering(OK))
    await using receiver = await rawReceiver(
      answering(`HTTP/1.1 ${status} Moved\r\nLocation: ${target.url}\r\nContent-Length: 0\r\n\r\n`),
    )
    expect(await open().post(requestTo(receiver.url))).toMatchObject({ ok: false, status })
    expect(target.connections()).toBe(0)
  })

  test.each([400, 404, 500, 503])('gives status and text of a %i', async (status) => {
    await using receiver = await rawReceiver(answering(`HTTP/1.1 ${status} No\r\nContent-Length: 4\r\n\r\nsick`))
    expect(await open().post(requestTo(receiver.url))).toMatchObject({ ok: false, status, excerpt: 'sick' })
  })

  test.each(['100 Continue', '102 Processing', '103 Early Hints'])('passes over an unasked %s', async (line) => {
    const interim = `HTTP/1.1 ${line}\r\n\r\n`
    await using receiver = await rawReceiver(answering(interim + interim + OK))
    const outbound = open()
    for (const excerpt of ['ok', 'ok']) {
      expect(await outbound.post(requestTo(receiver.url))).toMatchObject({ ok: true, status: 200, excerpt })
    }
  })

  test('passes over an unasked 100 Continue that comes in pieces', async () => {
    const pieces = 'HTTP/1.1 100 Continue\r\nX-A: b\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'.split('')
    pieces.push(OK)
    const next = (s: Socket) => s.write(pieces.shift() ?? '', () => pieces.length > 0 && setImmediate(next, s))
    await using receiver = await rawReceiver(afterRequest(next))
    expect(await open().post(requestTo(receiver.url))).toMatchObject({ ok: true, excerpt: 'ok' })
    expect(pieces).toEqual([])
  })

  test('with a header that cannot be sent is the caller’s mistake', async () => {
    const post = open().post(requestTo('http://127.0.0.1:9/', { headers: { 'x-a': 'line\r\nbreak' } }))
    await expect(post).rejects.toThrow(TypeError)
  })
})

describe('the deadline covers the whole exchange', () => {
  const stalls: [string, (socket: Socket) => void][] = [
    ['never answers', () => {}],
    [
      'sends headers and then a byte at a time',
      afterRequest((s) => {
        s.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n')
        every(20, s, 'x')
      }),
    ],
    [
      'sends its headers a byte at a time',
      afterRequest((s) => {
        s.write('HTTP/1.1 200 OK\r\nX-Slow: ')
        every(20, s, 'x')
      }),
    ],
    ['sends 100 without end', afterRequest((s) => every(5, s, 'HTTP/1.1 100 Continue\r\n\r\n'))],
    ['sends 102 without end', afterRequest((s) => every(5, s, 'HTTP/1.1 102 Processing\r\n\r\n'))],
    [
      'sends chunk extensions without end',
      afterRequest((s) => {
        s.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1')
        every(5, s, ';a=b')
      }),
    ],
  ]

  test.each(stalls)('a receiver that %s', async (_what, behave) => {
    await using receiver = await rawReceiver(behave)
    const result = await open().post(requestTo(receiver.url, { deadlineMs: 300 }))
    expect(result).toMatchObject({ ok: false, status: null, error: 'no complete answer within 0.3 s' })
    expect(result.durationMs).toBeGreaterThanOrEqual(300)
    expect(result.durationMs).toBeLessThan(800)
  })

  test.each([
    ['100', '', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['103', '', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'],
    ['chunk extensions', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1', ';a=b'],
  ])('a receiver that floods with %s: 1 MB of it is read', async (_what, head, unit) => {
    let accepted = 0
    await using receiver = await rawReceiver(
      afterRequest((s) => {
        s.on('close', () => (accepted = s.bytesWritten))
        s.write(head)
        forever(s, unit.repeat(10_000))
      }),
    )
    const result = await open().post(requestTo(receiver.url, { deadlineMs: 500 }))
    expect(result).toMatchObject({ status: null, error: 'no complete answer within 0.5 s' })
    expect(result.durationMs).toBeLessThan(1000)
    await expect.poll(() => receiver.open()).toBe(0)
    expect(accepted).toBeLessThan(IN_KERNEL_BUFFERS)
  })

  test('a name that is not resolved', async () => {
    const outbound = open({ resolve: () => new Promise(() => {}) })
    const result = await outbound.post(requestTo('http://receiver.test/', { deadlineMs: 100 }))
    expect(result).toMatchObject({ status: null, error: 'no complete answer within 0.1 s' })
  })

  test('and is 5 seconds unless told otherwise', { timeout: 10_000 }, async () => {
    await using receiver = await rawReceiver(
      afterRequest((s) => {
        s.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n')
        every(200, s, 'x')
      }),
    )
    const result = await open().post(requestTo(receiver.url))
    expect(result).toMatchObject({ status: null, error: 'no complete answer within 5 s' })
    expect(result.durationMs).toBeGreaterThanOrEqual(5000)
    expect(result.durationMs).toBeLessThanOrEqual(5500)
  })

  test('and closes the connection', async () => {
    await using receiver = await rawReceiver(() => {})
    const outbound = open()
    await outbound.post(requestTo(receiver.url, { deadlineMs: 50 }))
    await expect.poll(() => receiver.open()).toBe(0)
  })
})

describe('an answer', () => {
  test('of 1 GB is cut: little of it is read, and the status counts', async () => {
    let accepted = 0
    await using receiver = await rawReceiver(
      afterRequest((s) => {
        s.write(`HTTP/1.1 200 OK\r\nContent-Length: ${2 ** 30}\r\n\r\n`)
        s.on('close', () => (accepted = s.bytesWritten))
        forever(s, Buffer.alloc(65_536, 'a'))
      }),
    )
    const result = await open().post(requestTo(receiver.url))
    expect(result).toMatchObject({ ok: true, status: 200, truncated: true, excerpt: 'a'.repeat(1000) })
    expect('body' in result && result.body.length).toBe(4096)
    await expect.poll(() => receiver.open()).toBe(0)
    expect(accepted).toBeLessThan(IN_KERNEL_BUFFERS)
  })

  test('that is compressed stays compressed', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 2 ** 20))
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`
    await using receiver = await rawReceiver(answering(Buffer.concat([Buffer.from(head), bomb])))
    const result = await open().post(requestTo(receiver.url, { maxResponseBytes: 100 }))
    expect(result).toMatchObject({ status: 200, truncated: true, body: bomb.subarray(0, 100) })
  })

  test('is given up to the size that the caller wants', async () => {
    const body = 'b'.repeat(50_000)
    await using receiver = await rawReceiver(answering(`HTTP/1.1 200 OK\r\nContent-Length: 50000\r\n\r\n${body}`))
    const result = await open().post(requestTo(receiver.url, { maxResponseBytes: 50_000 }))
    expect(result).toMatchObject({ truncated: false, body: Buffer.from(body) })
    expect(result).toHaveProperty('excerpt.length', 1000)
  })

  const excerpts: [string, Buffer, string][] = [
    ['NUL', Buffer.from('a\0b'), 'a\uFFFDb'],
    ['broken UTF-8', Buffer.from([0x61, 0xff, 0xc3, 0x62]), 'a\uFFFD\uFFFDb'],
    ['an encoded surrogate', Buffer.from([0xed, 0xa0, 0x80]), '\uFFFD\uFFFD\uFFFD'],
    ['a pair across the 1000th character', Buffer.from('x'.repeat(999) + '😀'), 'x'.repeat(999)],
    ['a character across the last byte read', Buffer.from('x'.repeat(99) + 'é' + 'x'.repeat(9)), 'x'.repeat(99)],
  ]
  test.each(excerpts)('with %s becomes text that a database stores', async (_what, body, excerpt) => {
    const head = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`
    await using receiver = await rawReceiver(answering(Buffer.concat([Buffer.from(head), body])))
    const maxResponseBytes = body.length > 1000 ? 4096 : 100
    const result = await open().post(requestTo(receiver.url, { maxResponseBytes }))
    expect(result).toMatchObject({ ok: true, excerpt })
    expect('excerpt' in result && result.excerpt.isWellFormed()).toBe(true)
  })
})

describe('a broken receiver', () => {
  const sending = (text: string) => afterRequest((s) => s.end(Buffer.from(text, 'latin1')))
  const broken: [string, (socket: Socket) => void, string][] = [
    ['chunk length', sending('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nhello'), NOT_HTTP],
    [
      'chunks without an end',
      sending('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n'),
      CLOSED_EARLY,
    ],
    ['two lengths', sending('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nok'), ''],
    [
      '20 KB of headers',
      sending(`HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`),
      'the headers of the answer are too large',
    ],
    [
      'headers without end',
      afterRequest((s) => (s.write('HTTP/1.1 200 OK\r\n'), forever(s, 'X-A: aaaa\r\n'))),
      'the headers of the answer are too large',
    ],
    [
      'trailers without end',
      afterRequest(
        (s) => (s.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n'), forever(s, 'X-A: aaaa\r\n')),
      ),
      'the headers of the answer are too large',
    ],
    ['HTTP/0.9', sending('hello'), NOT_HTTP],
    ['another protocol', (s) => s.write('SSH-2.0-OpenSSH_9.2\r\n'), NOT_HTTP],
    ['NUL in a header', sending('HTTP/1.1 200 OK\r\nX-A: a\0b\r\nContent-Length: 2\r\n\r\nok'), NOT_HTTP],
    ['no status', sending('HTTP/1.1 \r\n\r\n'), NOT_HTTP],
    ['status 099', sending('HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n'), ''],
    [
      'an upgrade',
      sending('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
      CLOSED_EARLY,
    ],
    ['a reset on connecting', (s) => s.resetAndDestroy(), CLOSED_EARLY],
    ['a reset before headers', afterRequest((s) => s.resetAndDestroy()), CLOSED_EARLY],
    [
      'a reset within headers',
      afterRequest((s) => s.write('HTTP/1.1 200 OK\r\nX-A', () => s.resetAndDestroy())),
      CLOSED_EARLY,
    ],
    [
      'a reset within the body',
      afterRequest((s) => s.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc', () => s.resetAndDestroy())),
      CLOSED_EARLY,
    ],
    ['an end with no answer', sending(''), CLOSED_EARLY],
    ['an end within headers', sending('HTTP/1.1 200 OK\r\nX-A: b'), CLOSED_EARLY],
    ['an end within the body', sending('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'), CLOSED_EARLY],
  ]

  test.each(broken)('with %s is a failure, and the next post succeeds', async (_what, behave, error) => {
    let healthy = false
    await using receiver = await rawReceiver((socket) => (healthy ? answering(OK)(socket) : behave(socket)))
    const outbound = open()
    // The deadline is long enough for the largest body on a busy machine, so it does not end these requests.
    const result = await outbound.post(requestTo(receiver.url, { deadlineMs: 20_000 }))
    expect(result).toMatchObject({ ok: false, status: null, error: expect.stringContaining(error) })
    healthy = true
    expect(await outbound.post(requestTo(receiver.url, { deadlineMs: 20_000 }))).toMatchObject({ ok: true })
  })

  test('with more than one answer is believed once, and the connection is not used again', async () => {
    await using receiver = await rawReceiver(answering(OK + OK))
    const outbound = open()
    for (const connections of [1, 2]) {
      expect(await outbound.post(requestTo(receiver.url))).toMatchObject({ ok: true, excerpt: 'ok' })
      expect(receiver.connections()).toBe(connections)
    }
  })

  test('where nothing listens gives one message for all failures to connect', async () => {
    const receiver = await rawReceiver(() => {})
    await receiver[Symbol.asyncDispose]()
    expect(await open().post(requestTo(receiver.url))).toMatchObject({
      status: null,
      error: 'no connection could be made',
    })
  })
})

describe('connections', () => {
  test('are kept and used again', async () => {
    await using receiver = await rawReceiver(answering(OK))
    const outbound = open()
    for (let n = 0; n < 20; n++) expect(await outbound.post(requestTo(receiver.url))).toMatchObject({ ok: true })
    // A connection is free again one turn of the event loop after its response, so two may be in use.
    expect(receiver.connections()).toBeLessThanOrEqual(2)
  })

  test('that the receiver ends after each answer cost nothing but a new one', async () => {
    await using receiver = await rawReceiver(afterRequest((s) => s.end(OK)))
    const outbound = open()
    for (let n = 0; n < 20; n++) expect(await outbound.post(requestTo(receiver.url))).toMatchObject({ ok: true })
  })

  test('to one host are bounded', async () => {
    const waiting: Socket[] = []
    await using receiver = await rawReceiver((s) => {
      s.on('data', () => waiting.push(s))
    })
    const outbound = open({ socketsPerHost: 2 })
    const posts = Array.from({ length: 6 }, () => outbound.post(requestTo(receiver.url)))
    for (let answered = 0; answered < 6; answered++) {
      await expect.poll(() => waiting.length).toBeGreaterThan(0)
      expect(receiver.open()).toBeLessThanOrEqual(2)
      waiting.shift()!.write(OK)
    }
    expect((await Promise.all(posts)).every((result) => result.ok)).toBe(true)
    expect(receiver.connections()).toBe(2)
  })

  test('a post whose deadline passed while it waited for one is never sent', async () => {
    const sockets: Socket[] = []
    await using receiver = await rawReceiver((s) => {
      s.once('data', () => sockets.push(s))
    })
    const outbound = open({ socketsPerHost: 1 })
    const first = outbound.post(requestTo(receiver.url, { body: 'first' }))
    await expect.poll(() => sockets.length).toBe(1)
    const late = await outbound.post(requestTo(receiver.url, { body: 'late', deadlineMs: 50 }))
    expect(late).toMatchObject({ status: null, error: 'no complete answer within 0.05 s' })
    answering(OK)(sockets[0]!)
    sockets[0]!.write(OK)
    expect(await first).toMatchObject({ ok: true })
    expect(await outbound.post(requestTo(receiver.url, { body: 'next' }))).toMatchObject({ ok: true })
    expect(receiver.received).toHaveLength(1)
    expect(receiver.received[0]).not.toContain('late')
  })

  test('a dead receiver does not delay others', async () => {
    await using dead = await rawReceiver(() => {})
    await using healthy = await rawReceiver(answering(OK))
    const outbound = open({ socketsPerHost: 2 })
    const lost = Array.from({ length: 50 }, () => outbound.post(requestTo(dead.url, { deadlineMs: 1000 })))
    const result = await outbound.post(requestTo(healthy.url))
    expect(result).toMatchObject({ ok: true })
    expect(result.durationMs).toBeLessThan(900)
    expect((await Promise.all(lost)).every(({ status }) => status === null)).toBe(true)
  })

  test('are closed by close, which also ends current and later requests', async () => {
    let arrived = () => {}
    const request = new Promise<void>((resolve) => (arrived = resolve))
    await using receiver = await rawReceiver(afterRequest(() => arrived()))
    const outbound = open()
    const post = outbound.post(requestTo(receiver.url))
    await request
    await outbound.close()
    expect(await post).toMatchObject({ status: null, error: 'the service is shutting down' })
    expect(await outbound.post(requestTo(receiver.url))).toMatchObject({ error: 'the service is shutting down' })
    await expect.poll(() => receiver.open()).toBe(0)
    await outbound.close()
  })
})
