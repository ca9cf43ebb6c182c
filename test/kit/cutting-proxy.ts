import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Where a proxy's time ran out, as it lets a request live for 60 seconds:
 * - `sending`: half of the body was through;
 * - `sending-408`: the same, and it says so with a page;
 * - `waiting`: the program had all of it, and was at it; the proxy says so with a page;
 * - `answering`: half of the answer was through.
 */
export type Cut = 'sending' | 'sending-408' | 'waiting' | 'answering'

const PAGES = { 408: 'Request Time-out', 504: 'Gateway Time-out' }

const showPage = (outgoing: ServerResponse, status: keyof typeof PAGES): void => {
  outgoing.writeHead(status, { 'content-type': 'text/html', connection: 'close' })
  outgoing.end(`<html><body><h1>${status} ${PAGES[status]}</h1></body></html>`)
}

/**
 * A proxy that ends requests before they are done. Not by a clock, which would be short on a slow machine: by how far a request
 * has come.
 */
export const startCuttingProxy = async (target: string) => {
  let cuts: { method: string; path: RegExp; cut: Cut; done: () => void } | undefined

  const pass = (incoming: IncomingMessage, outgoing: ServerResponse, cut?: Cut, done = () => {}): void => {
    const { url = '', method, headers } = incoming
    const asked = request(new URL(url, target), { method, headers, agent: false })
    asked.on('error', () => cut === undefined && outgoing.destroy())
    // The program goes on with what it has, as it does behind a proxy that gave up.
    asked.on('response', (reply) => {
      if (cut === 'waiting') {
        reply.resume().on('end', done)
        return showPage(outgoing, 504)
      }
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
      if (cut !== 'answering') return void reply.pipe(outgoing)
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('end', () => {
        const whole = Buffer.concat(chunks)
        outgoing.write(whole.subarray(0, Math.ceil(whole.length / 2)), () => outgoing.destroy())
        done()
      })
    })
    if (cut !== 'sending' && cut !== 'sending-408') return void incoming.pipe(asked)
    const half = Number(headers['content-length']) / 2
    let sent = 0
    const take = (chunk: Buffer): void => {
      asked.write(chunk)
      sent += chunk.length
      if (sent < half) return
      incoming.off('data', take)
      asked.destroy()
      if (cut === 'sending-408') showPage(outgoing, 408)
      else outgoing.destroy()
      done()
    }
    incoming.on('data', take)
  }

  const server = createServer((incoming, outgoing) => {
    const { url = '', method = '' } = incoming
    if (cuts?.method !== method || !cuts.path.test(url)) return pass(incoming, outgoing)
    pass(incoming, outgoing, cuts.cut, cuts.done)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /**
     * Cuts the requests of this method to such an address, until it is told to `wait`: a browser sends one again by itself where
     * its connection had been used before. @returns fulfilled once it has
     */
    cut: (method: string, path: RegExp, where: Cut): Promise<void> =>
      new Promise((done) => {
        cuts = { method, path, cut: where, done }
      }),
    wait: (): void => {
      cuts = undefined
    },
    close: async (): Promise<void> => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type CuttingProxy = Awaited<ReturnType<typeof startCuttingProxy>>
