import type { RequestInfo } from '#kernel/contract/endpoint.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import { tenantOfHost } from '#modules/domains/index.ts'
import { baseUrlOf, instituteUrlOf } from '#app/config/base-url.ts'
import type { Config } from '#app/config/config.ts'
import { isLoopbackName, isOwnHost, whoseHost, type Machine } from './own-hosts.ts'

type Settings = Pick<Config, 'mode' | 'baseUrl' | 'port' | 'tls' | 'trustedProxies' | 'otherHosts'>

/**
 * Makes the function that says with which address a reply to a request begins: with the one that was asked at, where
 * that is surely the server's, so that whoever got through to it gets through again, even when the address that is set
 * leads nowhere any more. It is for replies alone: what others read begins with the address that is set, because a
 * client can name any host.
 */
export const addressAskedAt = (config: Settings, everywhere: SystemDb, machine: Machine) => {
  const ofInstitute = instituteUrlOf(config, everywhere)
  const ofServer = baseUrlOf(config)

  /** Behind a proxy that names the server by its loopback address, loopback would be the reader's own machine. */
  const saysLoopback = (set: URL): boolean =>
    isLoopbackName(set.hostname) || whoseHost(set.hostname, config, machine) === 'strange'

  const isOwn = (host: string, set: URL): boolean =>
    config.otherHosts.includes(host) || isOwnHost(host, machine) || (isLoopbackName(host) && saysLoopback(set))

  return async (tenantId: string, { origin }: Pick<RequestInfo, 'origin'>): Promise<string> => {
    const set = await ofInstitute(everywhere, tenantId)
    const asked = URL.parse(origin)
    if (asked === null || !/^https?:$/.test(asked.protocol) || asked.host === new URL(set).host) return set
    if (config.mode === 'cloud') {
      const server = await ofServer(everywhere)
      if (asked.host === new URL(server).host) return server
      const isTenants = (await tenantOfHost(everywhere, asked.hostname)) === tenantId
      return isTenants ? `https://${asked.host}` : set
    }
    // The proxy that does HTTPS may speak to this server by any name.
    if (new URL(set).protocol === 'https:' && asked.protocol === 'http:') return set
    return isOwn(asked.hostname, new URL(set)) ? asked.origin : set
  }
}
