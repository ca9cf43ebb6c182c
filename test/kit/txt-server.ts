import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** What the zone has at a name. */
export type ZoneEntry =
  /** TXT records, each of one or more strings of at most 255 bytes. */
  | { txt: readonly (string | readonly string[])[] }
  | { alias: string }
  /** A response code instead of an answer: 2 SERVFAIL, 3 NXDOMAIN, 5 REFUSED. */
  | { code: number }
  /** No answer ever comes. */
  | 'silence'
  /** Bytes that are no answer. */
  | 'noise'

export interface TxtServer extends AsyncDisposable {
  /** Its address with port. */
  readonly server: string
  /** By name; a name that is missing is NXDOMAIN. */
  readonly zone: Map<string, ZoneEntry>
  /** The names that were asked for over UDP, and over TCP. */
  readonly asked: { udp: string[]; tcp: string[] }
}

const TXT = 16
const CNAME = 5
const NXDOMAIN = 3
const LARGEST_DATAGRAM = 512
const MOST_ALIASES = 8

const nameBytes = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ])

const txtBytes = (strings: readonly string[]): Buffer =>
  Buffer.concat(strings.map((string) => Buffer.from([Buffer.byteLength(string), ...Buffer.from(string)])))

const record = (name: string, type: number, data: Buffer): Buffer => {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([nameBytes(name), fixed, data])
}

const questionOf = (query: Buffer): { name: string; end: number } => {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] as number; length > 0; length = query[at] as number) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 }
}

const header = (query: Buffer, { code, count, cut }: { code: number; count: number; cut: boolean }): Buffer => {
  const bytes = Buffer.alloc(12)
  query.copy(bytes, 0, 0, 2)
  bytes.writeUInt16BE(0x8180 | (cut ? 0x0200 : 0) | code, 2)
  bytes.writeUInt16BE(1, 4)
  bytes.writeUInt16BE(count, 6)
  return bytes
}

/** Answers as a resolver does: it follows aliases within its zone. @returns undefined: no answer */
const answerTo = (zone: TxtServer['zone'], query: Buffer, largest: number): Buffer | undefined => {
  const { name, end } = questionOf(query)
  const question = query.subarray(12, end)
  const records: Buffer[] = []
  let at = name
  let entry = zone.get(at)
  for (let hops = 0; typeof entry === 'object' && 'alias' in entry && hops < MOST_ALIASES; hops += 1) {
    records.push(record(at, CNAME, nameBytes(entry.alias)))
    at = entry.alias
    entry = zone.get(at)
  }
  if (entry === 'silence') return undefined
  if (entry === 'noise') return Buffer.concat([query.subarray(0, 2), Buffer.from('this is no answer')])
  const code = entry === undefined ? NXDOMAIN : 'code' in entry ? entry.code : 0
  if (entry && 'txt' in entry) {
    for (const strings of entry.txt) {
      records.push(record(at, TXT, txtBytes(typeof strings === 'string' ? [strings] : strings)))
    }
  }
  const whole = Buffer.concat([header(query, { code, count: records.length, cut: false }), question, ...records])
  if (whole.length <= largest) return whole
  return Buffer.concat([header(query, { code, count: 0, cut: true }), question])
}

/** Starts a real name server on loopback, over UDP and, for long answers, TCP. */
export const txtServer = async (): Promise<TxtServer> => {
  const zone: TxtServer['zone'] = new Map()
  const asked: TxtServer['asked'] = { udp: [], tcp: [] }
  const tcp = createServer((socket) => {
    let received = Buffer.alloc(0)
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return
      const query = received.subarray(2)
      asked.tcp.push(questionOf(query).name)
      const answer = answerTo(zone, query, 65_535)
      if (answer) socket.end(Buffer.concat([Buffer.from([answer.length >> 8, answer.length & 0xff]), answer]))
    })
  })
  tcp.listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  const { port } = tcp.address() as { port: number }
  const udp = createSocket('udp4')
  udp.on('message', (query, from) => {
    asked.udp.push(questionOf(query).name)
    const answer = answerTo(zone, query, LARGEST_DATAGRAM)
    if (answer) udp.send(answer, from.port, from.address)
  })
  udp.bind(port, '127.0.0.1')
  await once(udp, 'listening')
  return {
    server: `127.0.0.1:${port}`,
    zone,
    asked,
    async [Symbol.asyncDispose]() {
      udp.close()
      tcp.close()
      await once(tcp, 'close')
    },
  }
}
