import { EventEmitter, once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A line to the program at `target` that can keep back the replies to `path`. */
export const slowLine = async (target: string, path: string) => {
  const line = new EventEmitter()
  let isSlow = false
  let held = 0
  const server = createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming
    const asked = request(new URL(url, target), { method, headers }, async (reply) => {
      if (isSlow && url.startsWith(path)) {
        held += 1
        line.emit('held')
        await once(line, 'released')
      }
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(outgoing)
    })
    incoming.pipe(asked)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: () => {
      isSlow = true
    },
    /** Waits until so many replies have been kept back. */
    isHolding: async (replies: number) => {
      while (held < replies) await once(line, 'held')
    },
    release: () => {
      isSlow = false
      line.emit('released')
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
