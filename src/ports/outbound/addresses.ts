import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

export interface AddressPolicy {
  /** Refuse all addresses that are not public unicast, and the server's own addresses. */
  readonly blockPrivate: boolean
  /** Returns the server's own addresses. Default: those of its network interfaces. */
  readonly ownAddresses?: () => readonly string[]
}

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

/**
 * Link-local addresses and the addresses where cloud providers serve credentials to a machine. They are refused in all
 * modes, because no webhook receiver has one of them.
 */
const ALWAYS_REFUSED = [
  '169.254.0.0/16',
  '168.63.129.16/32', // Azure
  '100.100.100.200/32', // Alibaba
  '192.0.0.192/32', // Oracle
  'fe80::/10',
  'fd00:ec2::/32', // Amazon
  'fd20:ce::254/128', // Google
].map((range) => ipaddr.parseCIDR(range))

/** Where the addresses of IPv6 transition mechanisms contain an IPv4 address, in their 16 bytes. */
const EMBEDDED_IPV4 = (
  [
    ['::/96', (bytes) => bytes.slice(12)],
    ['::ffff:0:0/96', (bytes) => bytes.slice(12)],
    ['::ffff:0:0:0/96', (bytes) => bytes.slice(12)],
    ['64:ff9b::/96', (bytes) => bytes.slice(12)],
    // RFC 6052 2.2: in a /96 prefix the IPv4 address is at the end; in a /48 prefix it is split around bits 64 to 71.
    ['64:ff9b:1::/48', (bytes) => bytes.slice(12)],
    ['64:ff9b:1::/48', (bytes) => [...bytes.slice(6, 8), ...bytes.slice(9, 11)]],
    ['2002::/16', (bytes) => bytes.slice(2, 6)],
    // RFC 4380 4: the address of the server, and the inverted address of the client.
    ['2001::/32', (bytes) => bytes.slice(4, 8)],
    ['2001::/32', (bytes) => bytes.slice(12).map((byte) => byte ^ 0xff)],
  ] satisfies [string, (bytes: number[]) => number[]][]
).map(([range, extract]) => ({ range: ipaddr.IPv6.parseCIDR(range), extract }))

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

const embeddedIn = (address: ipaddr.IPv6): IpAddress[] =>
  EMBEDDED_IPV4.filter(({ range }) => address.match(range)).map(
    ({ extract }) => new ipaddr.IPv4(extract(address.toByteArray())),
  )

const isAlwaysRefused = (address: IpAddress): boolean =>
  [address, ...(address instanceof ipaddr.IPv6 ? embeddedIn(address) : [])].some((candidate) =>
    ALWAYS_REFUSED.some((range) => candidate.kind() === range[0].kind() && candidate.match(range)),
  )

// 'unicast' means that the address is in none of the special ranges (private, shared, loopback, documentation,
// benchmarking, multicast, reserved, and those that embed another address).
const isPublic = (address: IpAddress): boolean =>
  address.range() === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST))

/** The addresses of this machine's network interfaces. */
const interfaceAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((entries) => entries?.map((entry) => entry.address) ?? [])

const canonical = (address: string): string => ipaddr.process(address.replace(/%.*/, '')).toNormalizedString()

/** Whether requests may be sent to this literal address. A text that is not an address is refused. */
export function isAddressAllowed(literal: string, policy: AddressPolicy): boolean {
  if (!ipaddr.isValid(literal)) return false
  const address = ipaddr.parse(literal)
  if (isAlwaysRefused(address)) return false
  if (!policy.blockPrivate) return true
  if (!isPublic(address)) return false
  const own = policy.ownAddresses ?? interfaceAddresses
  return !own().map(canonical).includes(canonical(literal))
}
