import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { generate } from 'selfsigned'
import type { OutboundRequest } from '#ports/outbound/port.ts'

export interface Receiver extends AsyncDisposable {
  readonly port: number
  readonly url: string
  /** The number of connections so far, and of those that are open now. */
  connections(): number
  open(): number
  /** The bytes received, as one text per connection. */
  readonly received: string[]
}

/** A TCP server that sends whatever bytes `onConnection` writes. */
export async function rawReceiver(onConnection: (socket: Socket) => void): Promise<Receiver> {
  return listening(createServer(), onConnection)
}

export async function listening(server: Server, onConnection: (socket: Socket) => void): Promise<Receiver> {
  const sockets = new Set<Socket>()
  const received: string[] = []
  let connections = 0
  server.on('connection', (socket) => {
    const index = connections++
    received[index] = ''
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => (received[index] += chunk.toString('latin1')))
    socket.on('error', () => socket.destroy())
    onConnection(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    connections: () => connections,
    open: () => sockets.size,
    received,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Answers each request with the same bytes and keeps the connection open. */
export const answering = (answer: string | Buffer) => (socket: Socket) => {
  socket.on('data', (chunk) => {
    if (chunk.includes('\r\n\r\n')) socket.write(answer)
  })
}

/** Calls `act` after the request has arrived. */
export const afterRequest = (act: (socket: Socket) => void) => (socket: Socket) => {
  socket.once('data', () => act(socket))
}

export const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

export const requestTo = (url: string, overrides: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  headers: { 'content-type': 'application/json' },
  body: '{}',
  ...overrides,
})

const RECORD_TYPES = new Map([
  [1, 'A'],
  [28, 'AAAA'],
] as const)

export interface NameServer extends AsyncDisposable {
  readonly server: string
  /** The queries received, such as `A receiver.test`. */
  readonly questions: string[]
}

/** A DNS server over UDP. `answer` returns 4 or 16 bytes for each address of a name. */
export async function nameServer(answer: (type: 'A' | 'AAAA', name: string) => number[][]): Promise<NameServer> {
  const socket = createSocket('udp4')
  const questions: string[] = []
  socket.on('message', (query, from) => {
    const labels: string[] = []
    let at = 12
    for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const code = query.readUInt16BE(at + 1)
    const type = RECORD_TYPES.get(code as 1 | 28)
    const name = labels.join('.')
    if (type !== undefined) questions.push(`${type} ${name}`)
    const records = type === undefined ? [] : answer(type, name)
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(0x8180, 2)
    header.writeUInt16BE(records.length, 6)
    header.writeUInt32BE(0, 8)
    const bodies = records.map((bytes) => Buffer.from([0xc0, 12, 0, code, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]))
    socket.send(Buffer.concat([header, query.subarray(12, at + 5), ...bodies]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    server: `127.0.0.1:${socket.address().port}`,
    questions,
    async [Symbol.asyncDispose]() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

export interface Certificate {
  readonly key: string
  readonly cert: string
}

const OPTIONS = { keyType: 'ec', algorithm: 'sha256' } as const

export async function certificateAuthority(name = 'Test authority'): Promise<Certificate> {
  const made = await generate([{ name: 'commonName', value: name }], {
    ...OPTIONS,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  })
  return { key: made.private, cert: made.cert }
}

/** A certificate for 127.0.0.1 and one host name; self-signed without an authority. */
export async function certificate(
  name: string,
  { ca, from, until }: { ca?: Certificate; from?: Date; until?: Date },
): Promise<Certificate> {
  const made = await generate([{ name: 'commonName', value: name }], {
    ...OPTIONS,
    ...(ca && { ca }),
    ...(from && { notBeforeDate: from }),
    ...(until && { notAfterDate: until }),
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: name },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  })
  return { key: made.private, cert: made.cert }
}
