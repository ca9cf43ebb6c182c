import ipaddr from 'ipaddr.js'

/** Of an IPv6 address, what a provider hands to one customer: each has as many addresses as it likes. */
const NETWORK_BITS = 64

/** An IPv4 address that is written as an IPv6 one is the IPv4 address. */
export const plainAddress = (address: string): string | undefined =>
  ipaddr.isValid(address) ? ipaddr.process(address).toString() : undefined

/** What limits count an address as: an IPv4 address itself, of an IPv6 address the /64. */
export const networkOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${NETWORK_BITS}`)
  return `${network.toString()}/${NETWORK_BITS}`
}
