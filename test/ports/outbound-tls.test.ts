import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { guardedOutbound } from '#ports/outbound/guarded.ts'
import type { Outbound } from '#ports/outbound/port.ts'
import {
  afterRequest,
  answering,
  certificate,
  certificateAuthority,
  listening,
  OK,
  rawReceiver,
  requestTo,
  type Certificate,
} from './outbound-kit.ts'

const HOST = 'receiver.test'

let ca: Certificate
let outbound: Outbound
beforeAll(async () => {
  ca = await certificateAuthority()
  setDefaultCACertificates([...getCACertificates('default'), ca.cert])
})
afterEach(() => outbound.close())

const post = (host: string, port: number, deadlineMs = 2000) => {
  outbound = guardedOutbound({
    policy: { requireHttps: true, blockPrivate: false },
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  })
  return outbound.post(requestTo(`https://${host}:${port}/`, { deadlineMs }))
}

let requests = 0
const tlsReceiver = (identity: Certificate) => {
  requests = 0
  const server = createServer({ key: identity.key, cert: identity.cert })
  server.on('secureConnection', (socket) => {
    socket.on('error', () => socket.destroy())
    socket.on('data', () => requests++)
    answering(`HTTP/1.1 100 Continue\r\n\r\n${OK}`)(socket)
  })
  return listening(server, () => {})
}

describe('over TLS', () => {
  test.each([HOST, '127.0.0.1'])('a trusted certificate for %s is accepted', async (host) => {
    await using receiver = await tlsReceiver(await certificate(HOST, { ca }))
    expect(await post(host, receiver.port)).toMatchObject({ ok: true, status: 200, excerpt: 'ok' })
    expect(requests).toBe(1)
  })

  const lastYear = { from: new Date('2020-01-01'), until: new Date('2021-01-01') }
  const farAhead = { from: new Date('2100-01-01'), until: new Date('2101-01-01') }
  const refused: [string, () => Promise<Certificate>, string][] = [
    ['expired', () => certificate(HOST, { ca, ...lastYear }), 'the TLS certificate has expired'],
    ['not valid yet', () => certificate(HOST, { ca, ...farAhead }), 'the TLS certificate is not valid yet'],
    ['self-signed', () => certificate(HOST, {}), 'the TLS certificate is self-signed'],
    ['for another host', () => certificate('other.test', { ca }), 'the TLS certificate is for another host'],
    [
      'of an unknown authority',
      async () => certificate(HOST, { ca: await certificateAuthority('Another') }),
      'the TLS certificate is not from a trusted authority',
    ],
  ]
  test.each(refused)('a certificate that is %s is refused, and nothing is sent', async (_what, made, error) => {
    await using receiver = await tlsReceiver(await made())
    expect(await post(HOST, receiver.port)).toMatchObject({ ok: false, status: null, error })
    expect(requests).toBe(0)
  })

  test('a stalled handshake ends with the deadline', async () => {
    await using receiver = await rawReceiver(() => {})
    const result = await post(HOST, receiver.port, 300)
    expect(result).toMatchObject({ status: null, error: 'no complete answer within 0.3 s' })
    expect(result.durationMs).toBeLessThan(800)
  })

  test('a receiver that speaks plain HTTP fails', async () => {
    await using receiver = await rawReceiver(afterRequest((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
    expect(await post(HOST, receiver.port)).toMatchObject({ status: null, error: 'the TLS handshake failed' })
  })

  test('a receiver that closes within the handshake fails', async () => {
    await using receiver = await rawReceiver((socket) => socket.end())
    expect(await post(HOST, receiver.port)).toMatchObject({
      status: null,
      error: 'the connection was closed before the answer was complete',
    })
  })
})
