import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CredentialProxy {
  url: string
  close(): void
}

/** Passes every request on with a credential: for programs that can send none. */
export const startCredentialProxy = async (target: string, credential: string): Promise<CredentialProxy> => {
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${credential}` }
    const passed = request(new URL(incoming.url ?? '/', target), { method: incoming.method ?? 'GET', headers })
    passed.on('response', (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.rawHeaders)
      reply.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
