/** A network of this machine, by one of its cards. */
export interface Network {
  /** This machine's IPv4 address there. */
  address: string
  /** With the length of the prefix, such as 192.168.1.20/24. */
  cidr: string
  /** This machine's IPv6 addresses there. */
  ipv6: readonly string[]
}

/** The name by which the local network finds this machine without a name server (multicast DNS, RFC 6762). */
export interface LanName {
  /** Such as institute.local; undefined: it has none, or not yet. */
  current(): string | undefined
  /** Takes the name back in the caches of others. */
  close(): Promise<void>
}

export const NO_LAN_NAME: LanName = { current: () => undefined, close: async () => {} }
