import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'

/** One way to a mail server. */
export interface Route {
  /** What is connected to: a name that is looked up then, or an address. */
  host: string
  /** Whose certificate it is; undefined: that of `host`. */
  servername: string | undefined
  /** Whether it leads to this very machine, where nobody listens in and no certificate needs a voucher. */
  isHere: boolean
}

/** The addresses that a name has here; none where the look-up fails: connecting then says why. */
const addressesOf = async (host: string): Promise<string[]> =>
  isIP(host) === 0 ? (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address) : [host]

/**
 * The ways to a mail server, the best first. A name all of whose addresses are this machine's leads to these addresses, so
 * that nothing that it is made to name later is taken for this machine.
 * @param addressOf chooses the address of a host; undefined: the system does
 */
export const routesTo = async (
  host: string,
  addressOf: ((host: string) => Promise<string>) | undefined,
): Promise<Route[]> => {
  const servername = isIP(host) === 0 ? host : undefined
  const addresses = addressOf ? [await addressOf(host)] : await addressesOf(host)
  const isHere = addresses.length > 0 && addresses.every(isLoopback)
  if (!isHere && !addressOf) return [{ host, servername: undefined, isHere }]
  return addresses.map((address) => ({ host: address, servername, isHere }))
}
