import type { Logger } from 'pino'

/** A network of this machine, by one of its cards. */
export interface Network {
  /** This machine's IPv4 address there. */
  address: string
  /** With the length of the prefix, such as 192.168.1.20/24. */
  cidr: string
  /** This machine's IPv6 addresses there. */
  ipv6: readonly string[]
}

/** What became of a name that was asked for. In all cases but the first, the names are those of before. */
export type Chosen =
  | { result: 'named' }
  /** `free`: one like it that nobody has; undefined: none was found. */
  | { result: 'taken'; free: string | undefined }
  | { result: 'no_network' }
  /** It was free, and could not be announced. */
  | { result: 'not_announced' }

/** The name by which the local network finds this machine without a name server (multicast DNS, RFC 6762). */
export interface LanName {
  /** Such as institute.local; undefined: it has none, or not yet. */
  current(): string | undefined
  /** Takes another name, and answers for the one before too. @param label without `.local` */
  choose(label: string): Promise<Chosen>
  /** Answers for these names too, as long as nobody else has them, and for no others. @param labels without `.local` */
  answerToo(labels: readonly string[]): void
  /** Takes the names back in the caches of others. */
  close(): Promise<void>
}

export interface LanNameOptions {
  /** Without `.local`; undefined: none, until one is chosen. */
  wanted: string | undefined
  networks: () => readonly Network[]
  log: Logger
  /** Default: 5353. */
  port?: number
}

export type OpenLanName = (options: LanNameOptions) => LanName

export const NO_LAN_NAME: LanName = {
  current: () => undefined,
  choose: async () => ({ result: 'no_network' }),
  answerToo: () => {},
  close: async () => {},
}
