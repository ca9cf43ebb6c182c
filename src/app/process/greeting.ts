import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import type { Config } from '#app/config/config.ts'
import { lanAddresses } from './lan-addresses.ts'
import { isInContainer } from './own-hosts.ts'

type Listens = Pick<Config, 'host' | 'tls'>
/** What decides where it is reached. Tests bring another machine. */
interface Place {
  interfaces: Parameters<typeof lanAddresses>[0]
  isThere(file: string): boolean
}
const here = (): Place => ({ interfaces: networkInterfaces(), isThere: existsSync })

/** Where the program is reached, this machine's own address first. */
export const addressesOf = ({ host, tls }: Listens, port: number, place = here()): string[] => {
  // Nobody outside of its machine reaches a container's own addresses.
  const others = isInContainer(place.isThere) ? [] : lanAddresses(place.interfaces)
  const hosts = host === '0.0.0.0' || host === '::' ? ['localhost', ...others] : [host]
  return hosts.map((name) => `${tls ? 'https' : 'http'}://${name}:${port}`)
}

const IN_CONTAINER = [
  'Instead of localhost, another computer takes the name or address of the one on which the container runs;',
  `and each takes the port that the container is published at.`,
]

/** What people read on a terminal: the addresses, and how to set the institute up. */
export const greeting = (config: Listens, port: number, setupToken: string | undefined, place = here()): string[] => {
  const addresses = addressesOf(config, port, place)
  const lines =
    setupToken === undefined
      ? ['The institute is open at', ...addresses.map((address) => `  ${address}`)]
      : [
          `Set the institute up in a browser, at ${addresses.length > 1 ? 'one of these addresses' : 'this address'}:`,
          ...addresses.map((address) => `  ${address}/setup/#token=${setupToken}`),
        ]
  return isInContainer(place.isThere) ? [...lines, ...IN_CONTAINER] : lines
}
