import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { guardedOutbound } from '#ports/outbound/guarded.ts'
import { PUBLIC_ONLY, type PolicedOutbound } from '#ports/outbound/port.ts'
import { CALLBACK } from './oauth.ts'

export const DOCUMENT = 'https://assistant.example.org/client.json'

export const documentOf = (clientId = DOCUMENT) => ({
  client_id: clientId,
  client_name: 'Assistant',
  client_uri: 'https://assistant.example.org',
  redirect_uris: [CALLBACK, 'https://assistant.example.org/back'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
})

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Stands in for the websites of assistants, on this machine, behind the program's own outbound guard. */
export const startDocuments = async () => {
  const asked: string[] = []
  let answer: Answer = () => {}
  const json =
    (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
    (_, response) =>
      void response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(typeof body === 'string' ? body : JSON.stringify(body))
  const server = createServer((request, response) => {
    asked.push(`${request.method} https:/${request.url}`)
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const guarded = guardedOutbound({ policy: { blockPrivate: false, requireHttps: false } })
  const local = (url: string) => url.replace('https:/', `http://127.0.0.1:${port}`)
  const outbound: PolicedOutbound['outbound'] = {
    post: () => Promise.reject(new Error('documents are only read')),
    get: (request) =>
      guarded.get({ ...request, url: local(request.url), deadlineMs: Math.min(request.deadlineMs ?? 5000, 500) }),
    close: () => guarded.close(),
  }
  return {
    policed: { policy: PUBLIC_ONLY, outbound } satisfies PolicedOutbound,
    asked,
    /** Answers with this from now on. */
    answer: (body: unknown, status?: number, headers?: Record<string, string>): void => {
      answer = json(body, status, headers)
    },
    answerBy: (how: Answer): void => {
      answer = how
    },
    close: (): void => {
      server.close()
      server.closeAllConnections()
    },
  }
}
