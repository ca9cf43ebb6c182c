import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { guardedOutbound } from '#ports/outbound/guarded.ts'
import type { Outbound } from '#ports/outbound/port.ts'

/** A provider's reply: JSON, or the behaviour of a broken server. */
export type Answer = { status?: number; json: unknown } | { status?: number; text: string } | 'hangs' | 'resets'

export interface Asked {
  /** The address that the program asked for. */
  url: string
  contentType: string | undefined
  form: Record<string, string>
}

/** Stands in for the three captcha providers, on this machine, behind the program's own outbound guard. */
export const startProviders = async () => {
  const asked: Asked[] = []
  let answer: Answer = { json: { success: true } }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()))
      const url = `https:/${request.url}`
      asked.push({ url, contentType: request.headers['content-type'], form })
      if (answer === 'hangs') return
      if (answer === 'resets') {
        request.socket.destroy()
        return
      }
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
      response.end('json' in answer ? JSON.stringify(answer.json) : answer.text)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const guarded = guardedOutbound({ policy: { blockPrivate: false, requireHttps: false } })
  const outbound: Outbound = {
    post: (request) =>
      guarded.post({ ...request, url: request.url.replace('https:/', `http://127.0.0.1:${port}`), deadlineMs: 500 }),
    get: (request) => guarded.get(request),
    close: () => guarded.close(),
  }
  return {
    outbound,
    asked,
    answer: (next: Answer): void => {
      answer = next
    },
    close: (): void => {
      server.close()
      server.closeAllConnections()
    },
  }
}
