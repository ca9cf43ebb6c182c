import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import type { Queries } from '#kernel/contract/tables.ts'
import { baseUrlOf } from '#app/config/base-url.ts'
import type { Config } from '#app/config/config.ts'
import { lanUrls } from './lan-addresses.ts'
import { isOfNetwork, whereNameLeads, whoseHost, type Machine, type Whose } from './own-hosts.ts'

/** An address at which others open the server. */
export interface Way {
  url: string
  /** In its network alone. */
  isLocal: boolean
}

/** What is known of the address to which people are sent. */
export interface AddressState {
  url: string
  /** The configuration names it: a setting of the institute has no effect. */
  isFixed: boolean
  whose: Whose
  /** Where its name leads from here; none: it has no address, or is one. */
  leadsTo: readonly string[]
  isName: boolean
  /** Where others of the network reach this machine. */
  here: readonly string[]
  /** Where people open it, the surest first. */
  ways: readonly Way[]
}

/** As browsers leave it away. */
const portOf = ({ tls, port }: Pick<Config, 'tls' | 'port'>): string => (port === (tls ? 443 : 80) ? '' : `:${port}`)

const IS_ADDRESS = /^[\d.]+$|^\[/

/** A name of the network comes last: old phones do not find it, and every device finds a number. */
const waysTo = ({
  url,
  whose,
  here,
  named,
}: Pick<AddressState, 'url' | 'whose' | 'here'> & { named: readonly string[] }): Way[] => {
  const isOpen = (whose === 'own' || whose === 'unknown') && ![...here, ...named].includes(url)
  return [...(isOpen ? [url] : []), ...here, ...named].map((one) => ({
    url: one,
    isLocal: isOfNetwork(new URL(one).hostname),
  }))
}

export const addressState = async (config: Config, db: Queries, machine: Machine): Promise<AddressState> => {
  const url = await baseUrlOf(config)(db)
  const { hostname } = new URL(url)
  const whose = whoseHost(hostname, config, machine)
  const isName = whose === 'unknown' && !IS_ADDRESS.test(hostname)
  const { addresses, isOwn } = isName ? await whereNameLeads(hostname, machine) : { addresses: [], isOwn: false }
  const here = lanUrls(config, networkInterfaces(), existsSync)
  const name = machine.lanName()
  const named = name === undefined ? [] : [`${config.tls ? 'https' : 'http'}://${name}${portOf(config)}`]
  const whoseIt = isOwn ? 'own' : whose
  return {
    url,
    isFixed: config.baseUrl !== undefined,
    whose: whoseIt,
    leadsTo: addresses,
    isName,
    here,
    ways: waysTo({ url, whose: whoseIt, here, named }),
  }
}
