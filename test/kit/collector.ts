import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** The fields of a message of Protocol Buffers, by number: bytes of what has a length, numbers of the rest. */
type Message = ReadonlyMap<number, readonly (Buffer | bigint)[]>

const read = (bytes: Buffer): Message => {
  const fields = new Map<number, (Buffer | bigint)[]>()
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++] as number
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const taken = (length: number): Buffer => bytes.subarray(at, (at += length))
  while (at < bytes.length) {
    const tag = Number(varint())
    const wire = tag & 7
    const value = wire === 0 ? varint() : taken(wire === 1 ? 8 : wire === 5 ? 4 : Number(varint()))
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value])
  }
  return fields
}

const all = (message: Message, field: number): Message[] => (message.get(field) ?? []).map((one) => read(one as Buffer))
const text = (message: Message | undefined, field: number): string => String(message?.get(field)?.[0] ?? '')
const hex = (message: Message, field: number): string =>
  (message.get(field)?.[0] as Buffer | undefined)?.toString('hex') ?? ''

export interface CollectedSpan {
  traceId: string
  id: string
  parentId: string
  name: string
  attributes: Record<string, string>
  failure: string
}

export interface CollectedMetric {
  name: string
  kind: 'gauge' | 'sum' | 'histogram'
}

const attributesOf = (messages: readonly Message[]): Record<string, string> =>
  Object.fromEntries(
    messages.map((pair) => {
      const [value] = all(pair, 2)
      return [text(pair, 1), text(value, value?.has(1) ? 1 : 3)]
    }),
  )

/** A collector of OpenTelemetry: what was sent to it by OTLP as HTTP with Protocol Buffers. */
export class Collector {
  readonly spans: CollectedSpan[] = []
  readonly metrics: CollectedMetric[] = []
  /** What each sender says of itself. */
  readonly resources: Record<string, string>[] = []
  readonly headers: IncomingMessage['headers'][] = []
  /** The status of its answers. */
  status = 200
  readonly #server = http.createServer((request, response) => {
    this.headers.push(request.headers)
    void buffer(request).then((bytes) => {
      if (this.status === 200) this.#take(request.url ?? '', read(bytes))
      response.writeHead(this.status).end()
    })
  })

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  #take(path: string, message: Message): void {
    for (const from of all(message, 1)) {
      this.resources.push(...all(from, 1).map((resource) => attributesOf(all(resource, 1))))
      const held = all(from, 2).flatMap((scope) => all(scope, 2))
      if (path === '/v1/traces') this.spans.push(...held.map(spanOf))
      if (path === '/v1/metrics') this.metrics.push(...held.map(metricOf))
    }
  }
}

const spanOf = (span: Message): CollectedSpan => ({
  traceId: hex(span, 1),
  id: hex(span, 2),
  parentId: hex(span, 4),
  name: text(span, 5),
  attributes: attributesOf(all(span, 9)),
  failure: text(all(span, 15)[0], 2),
})

const metricOf = (metric: Message): CollectedMetric => ({
  name: text(metric, 1),
  kind: metric.has(5) ? 'gauge' : metric.has(7) ? 'sum' : 'histogram',
})
