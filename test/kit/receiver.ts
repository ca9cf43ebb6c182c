import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  headers: Record<string, string | string[] | undefined>
  body: string
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** A webhook receiver that answers with the statuses it is given, the last one from then on. */
export const startReceiver = async (...statuses: number[]) => {
  const received: Received[] = []
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      response.statusCode = statuses[Math.min(received.length, statuses.length - 1)] ?? 204
      received.push({ headers: request.headers, body })
      response.end('noted')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: (...next: number[]) => {
      statuses.splice(0, statuses.length, ...Array.from({ length: received.length }, () => 0), ...next)
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
