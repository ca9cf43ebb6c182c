import { once } from 'node:events'
import { createServer, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { SYSTEM } from '#executable/system-words.ts'
import type { Config } from '#app/config/config.ts'
import { isService, startCommand } from '#app/explain/command-line.ts'
import { WrongSetting } from '#app/config/read-config.ts'

/** Lists every address of this machine. */
const addresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((list = []) => list.map(({ address }) => address))

/** Ports below it need root or a capability. */
const FIRST_FREE_PORT = 1024

/**
 * Words an error of listening as one line that names the setting.
 * @returns the error itself where neither host nor port is the reason
 */
export const listenTrouble = (
  error: unknown,
  { host, port, dataDir }: Pick<Config, 'host' | 'port' | 'dataDir'>,
): unknown => {
  const { code = '' } = error as NodeJS.ErrnoException
  const here = `This machine has ${addresses().join(', ')}; without INSTITUTE_HOST the program listens on all of them.`
  if (code === 'EADDRNOTAVAIL') {
    return new WrongSetting(`INSTITUTE_HOST=${host}: is an address of another machine. ${here}`)
  }
  if (['ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code)) {
    const what = isIP(host) ? 'cannot be listened on' : 'is no address, and no name that this machine knows'
    return new WrongSetting(`INSTITUTE_HOST=${host}: ${what}. ${here}`)
  }
  if (code === 'EADDRINUSE') {
    return new WrongSetting(
      `INSTITUTE_PORT=${port}: another program listens on port ${port} of ${host} already. End that (${SYSTEM.whoListens(port)}), or choose another port.`,
    )
  }
  if (code === 'EACCES' && port < FIRST_FREE_PORT) {
    const who = isService({ dataDir })
      ? `only the service may listen on a port below ${FIRST_FREE_PORT}. Start that (${startCommand({ dataDir })}), or choose`
      : `this user may not listen on a port below ${FIRST_FREE_PORT}. Choose`
    return new WrongSetting(`INSTITUTE_PORT=${port}: ${who} a port from ${FIRST_FREE_PORT} on.`)
  }
  return error
}

/**
 * Listens for a moment, to know before anything is made whether the server will be able to. Whoever connects meanwhile is
 * turned away. Where any free port will do, there is nothing to find out.
 * @throws WrongSetting
 */
export const assertCanListen = async (config: Pick<Config, 'host' | 'port' | 'dataDir'>): Promise<void> => {
  if (config.port === 0) return
  const server = createServer((socket) => socket.destroy())
  server.listen(config.port, config.host)
  await once(server, 'listening').catch((error: unknown) => {
    throw listenTrouble(error, config)
  })
  server.close()
  await once(server, 'close')
}
