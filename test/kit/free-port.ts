import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

/** Below the ports that the system gives to connections, one of which could take the port before it is used. */
const LOWEST = 10_240
const HIGHEST = 32_767

/** A loopback port that was free a moment ago; another program may have taken it since. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST + 1)
    const probe = createServer()
    const isFree = once(probe.listen(port, '127.0.0.1'), 'listening').then(
      () => true,
      () => false,
    )
    if (!(await isFree)) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
}

/** The same for datagrams. */
export const freeUdpPort = async (): Promise<number> => {
  const socket = createSocket('udp4')
  await once(socket.bind(0, '127.0.0.1'), 'listening')
  const { port } = socket.address()
  socket.close()
  await once(socket, 'close')
  return port
}
