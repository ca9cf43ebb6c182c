import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { plainAddress } from '#kernel/basics/network.ts'
import type { Machine } from '#app/process/own-hosts.ts'

/** Below these no name of the internet exists. */
export const LOCAL_NAMES = ['local', 'localhost', 'lan', 'internal', 'home.arpa']
/** Addresses that mean something in one network alone. 100.64.0.0/10 is what VPNs of offices give. */
export const LOCAL_RANGES = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '127.0.0.0/8',
  'fc00::/7',
  'fe80::/10',
  '::1/128',
]

const isWithin = (name: string, end: string): boolean => name === end || name.endsWith(`.${end}`)

const isInRange = (address: string, range: string): boolean => {
  const parsed = ipaddr.parse(address)
  const [base, bits] = ipaddr.parseCIDR(range)
  return parsed.kind() === base.kind() && parsed.match([base, bits] as [ipaddr.IPv4, number])
}

/** Whether it is an address of one network alone, and so no public authority vouches for it. */
export const isLocalAddress = (address: string): boolean => LOCAL_RANGES.some((range) => isInRange(address, range))

/** Whether it is a name of one network alone. */
export const isLocalName = (name: string): boolean =>
  isIP(name) === 0 ? !name.includes('.') || LOCAL_NAMES.some((end) => isWithin(name, end)) : isLocalAddress(name)

/** The names below which the local authority may vouch. @param chosen a name that the office gave the server */
export const constraintsOf = (chosen: string | null): string[] =>
  chosen === null || isIP(chosen) !== 0 || LOCAL_NAMES.some((end) => isWithin(chosen, end))
    ? LOCAL_NAMES
    : [...LOCAL_NAMES, chosen]

/** Everything by which others of the network open the server. What the authority may not vouch for would spoil the rest. */
export const localNames = (machine: Machine, chosen: string | null): string[] => {
  const permitted = constraintsOf(chosen)
  const own = machine.name().toLowerCase()
  const label = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(own) ? [`${own}.local`, `${own}.lan`] : []
  const names = [chosen, machine.lanName(), 'localhost', ...label, ...machine.formerLanNames()].filter(
    (name) => name !== null && name !== undefined,
  )
  // Link-local addresses of IPv6 are no good without the name of a card.
  const addresses = machine
    .addresses()
    .flatMap((one) => plainAddress(one) ?? [])
    .filter((one) => !one.startsWith('fe80:'))
  const fit = [...names, ...addresses, '127.0.0.1'].filter((name) =>
    isIP(name) === 0 ? permitted.some((end) => isWithin(name, end)) : isLocalAddress(name),
  )
  return [...new Set(fit)]
}
