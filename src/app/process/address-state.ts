import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import type { Queries } from '#kernel/contract/tables.ts'
import { baseUrlOf } from '#app/config/base-url.ts'
import type { Config } from '#app/config/config.ts'
import { lanUrls } from './lan-addresses.ts'
import { whereNameLeads, whoseHost, type Machine, type Whose } from './own-hosts.ts'

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
}

const IS_ADDRESS = /^[\d.]+$|^\[/

export const addressState = async (config: Config, db: Queries, machine: Machine): Promise<AddressState> => {
  const url = await baseUrlOf(config)(db)
  const { hostname } = new URL(url)
  const whose = whoseHost(hostname, config, machine)
  const isName = whose === 'unknown' && !IS_ADDRESS.test(hostname)
  const { addresses, isOwn } = isName ? await whereNameLeads(hostname, machine) : { addresses: [], isOwn: false }
  return {
    url,
    isFixed: config.baseUrl !== undefined,
    whose: isOwn ? 'own' : whose,
    leadsTo: addresses,
    isName,
    here: lanUrls(config, networkInterfaces(), existsSync),
  }
}
