import ipaddr from 'ipaddr.js'

/** The prefix of an IPv6 address that providers assign to one customer, who can use every address in it. */
const NETWORK_BITS = 64

/**
 * Returns the address in its usual form; an IPv4-mapped IPv6 address becomes IPv4. undefined: it is not an IP address.
 */
export const plainAddress = (address: string): string | undefined =>
  ipaddr.isValid(address) ? ipaddr.process(address).toString() : undefined

/**
 * Returns the network that rate limits count an address under: the IPv4 address itself, or the /64 of an IPv6 address.
 */
export const networkOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${NETWORK_BITS}`)
  return `${network.toString()}/${NETWORK_BITS}`
}
