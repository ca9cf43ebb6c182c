import { existsSync } from 'node:fs'
import { lookup } from 'node:dns/promises'
import { hostname, networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { containerEngine } from '#executable/environment.ts'
import { plainAddress } from '#kernel/basics/network.ts'
import type { Config } from '#app/config/config.ts'

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])$/

/** Whether a host, as `URL.hostname` gives it, means this machine to people who sit at it, and nothing to others. */
export const isLoopbackName = (host: string): boolean => LOOPBACK.test(host)

/** There in a container, whose own addresses nobody outside of its machine can reach. */
const IN_CONTAINER = ['/.dockerenv', '/run/.containerenv']
/** As Podman names itself to what it runs; with --read-only it has an empty /run, and so no file that tells of it. */
const ENGINES: readonly (string | undefined)[] = ['podman', 'oci']
export const isInContainer = (
  isThere: (file: string) => boolean = existsSync,
  engine: string | undefined = containerEngine(),
): boolean => IN_CONTAINER.some(isThere) || ENGINES.includes(engine)

/** Behind the machine's name, as routers and mDNS make it a name of the network. */
const LOCAL_ENDS = ['', '.local', '.lan', '.home', '.internal', '.home.arpa']

const NETWORKS_OF_ONE_PLACE = new Set(['private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'])

/** The IP address in a host of a URL; undefined: it is a name. */
const ipOf = (host: string): string | undefined => plainAddress(host.replaceAll(/^\[|\]$/g, ''))

/** Whether only those in the same network reach a host of a URL: an address of it, or a name of multicast DNS. */
export const isOfNetwork = (host: string): boolean => {
  const address = ipOf(host)
  return address === undefined ? host.endsWith('.local') : NETWORKS_OF_ONE_PLACE.has(ipaddr.parse(address).range())
}

/** What a machine is called in its network. Tests bring another one. */
export interface Machine {
  addresses(): readonly string[]
  name(): string
  /** The name that the local network finds it by, such as institute.local; undefined: none, or not yet. */
  lanName(): string | undefined
  /** Names of before by which the local network still finds it. */
  formerLanNames(): readonly string[]
  /** The name of the vendor's zone that leads here; undefined: none. */
  vendorName(): string | undefined
  isInContainer(): boolean
  /** Whether systemd runs the system, and so its units. */
  hasSystemd(): boolean
  /** The addresses of a name; none: it has no address. */
  resolve(name: string): Promise<readonly string[]>
}

const RESOLVE_MILLIS = 3000

const resolved = async (name: string): Promise<readonly string[]> => {
  const late = new Promise<[]>((resolve) => void setTimeout(resolve, RESOLVE_MILLIS, []).unref())
  const found = lookup(name, { all: true }).then(
    (all) => all.map(({ address }) => address),
    () => [],
  )
  return Promise.race([found, late])
}

export const THIS_MACHINE: Machine = {
  addresses: () => Object.values(networkInterfaces()).flatMap((list = []) => list.map(({ address }) => address)),
  name: hostname,
  lanName: () => undefined,
  formerLanNames: () => [],
  vendorName: () => undefined,
  isInContainer: () => isInContainer(),
  hasSystemd: () => existsSync('/run/systemd/system'),
  resolve: resolved,
}

const hasAddress = (machine: Machine, address: string): boolean =>
  machine.addresses().some((one) => plainAddress(one) === address)

/** Whether a host of a URL is one of the machine's own addresses or names, but for loopback. */
export const isOwnHost = (host: string, machine: Machine): boolean => {
  if (isLoopbackName(host)) return false
  const address = ipOf(host)
  if (address !== undefined) return hasAddress(machine, address)
  if ([machine.lanName(), machine.vendorName(), ...machine.formerLanNames()].includes(host.toLowerCase())) return true
  const own = machine.name().toLowerCase()
  return own !== '' && LOCAL_ENDS.some((end) => host.toLowerCase() === own + end)
}

/**
 * Whose a host of a URL is: this machine's; this machine's to itself alone; another's, or nobody's; or unknown, because a
 * router, a proxy or a container may stand in front.
 */
export type Whose = 'own' | 'loopback' | 'strange' | 'unknown'

/** As far as it is known without asking anybody: a name is unknown. */
export const whoseHost = (
  host: string,
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
  machine: Machine,
): Whose => {
  if (isLoopbackName(host)) return 'loopback'
  if (isOwnHost(host, machine)) return 'own'
  const address = ipOf(host)
  if (address === undefined || trustedProxies > 0 || machine.isInContainer()) return 'unknown'
  return NETWORKS_OF_ONE_PLACE.has(ipaddr.parse(address).range()) ? 'strange' : 'unknown'
}

/** The addresses to which a name leads, and whether one of them is this machine's. */
export const whereNameLeads = async (
  host: string,
  machine: Machine,
): Promise<{ addresses: readonly string[]; isOwn: boolean }> => {
  const addresses = await machine.resolve(host)
  return {
    addresses,
    isOwn: addresses.some((one) => hasAddress(machine, plainAddress(one) ?? one) || ipOf(one) === '127.0.1.1'),
  }
}
