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
    const asked = request(new URL(url, target), { method, headers }, (reply) => {
      const pass = () => {
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
        reply.pipe(outgoing)
      }
      if (!isSlow || !url.startsWith(path)) return pass()
      held += 1
      line.once('released', pass)
      line.emit('held')
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
    isHolding: (replies: number) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (held >= replies) resolve()
        }
        line.on('held', look)
        look()
      }),
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
