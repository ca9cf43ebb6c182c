import type { Logger } from 'pino'

/** The zone of the DNS in which servers on local networks have their names. */
export interface Zone {
  /** Such as lan.vendor.example: in lower case, without a dot at its end. */
  name: string
  /** The name servers to which the zone above delegates it. */
  nameServers: readonly string[]
}

/** What the zone knows of one name. */
export interface ZoneHost {
  /** Addresses of one network. */
  addresses: readonly string[]
  /** What a certificate authority is to find at `_acme-challenge` below it; null: nothing. */
  challenge: string | null
}

export interface LanZoneOptions {
  zone: Zone
  /** Port 0: any free one. */
  listen: { host: string; port: number }
  /** @param label the first part of the name, in lower case; it has the form of one */
  find(label: string): Promise<ZoneHost | undefined>
  /** In milliseconds. */
  now(): number
  log: Logger
}

/** A name server that answers for one zone and for nothing else. */
export interface LanZone {
  /** The port of both UDP and TCP; undefined: it does not listen yet. */
  readonly port: number | undefined
  /** Listens, or tries again until it can: no request of an institute waits for it, or fails with it. */
  open(): Promise<void>
  close(): Promise<void>
}
