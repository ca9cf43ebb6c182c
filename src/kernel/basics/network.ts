import ipaddr from 'ipaddr.js'
import { BoundedCache } from './bounded-cache.ts'

/** The prefix of an IPv6 address that providers assign to one customer, who can use every address in it. */
const NETWORK_BITS = 64

interface Known {
  plain: string
  network: string
}

/** Every request asks, and most come from few addresses. */
const known = new BoundedCache<string, Known>(1000)

const parse = (address: string): Known => {
  const parsed = ipaddr.process(address)
  const plain = parsed.toString()
  if (parsed.kind() === 'ipv4') return { plain, network: plain }
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${plain}/${NETWORK_BITS}`)
  return { plain, network: `${network.toString()}/${NETWORK_BITS}` }
}

const find = (address: string): Known | undefined =>
  known.find(address) ?? (ipaddr.isValid(address) ? known.set(address, parse(address)) : undefined)

/**
 * Returns the address in its usual form; an IPv4-mapped IPv6 address becomes IPv4. undefined: it is not an IP address.
 */
export const plainAddress = (address: string): string | undefined => find(address)?.plain

/** Whether the host name of a URL, as `URL.hostname` gives it, is this machine's own. */
export const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)

/**
 * Returns the network that rate limits count an address under: the IPv4 address itself, or the /64 of an IPv6 address.
 */
export const networkOf = (address: string): string => find(address)?.network ?? address
