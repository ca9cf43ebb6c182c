import { SYSTEM } from '#executable/system-words.ts'
import { passed, warning, type CheckResult } from '#kernel/contract/check.ts'
import { isService } from '#app/explain/command-line.ts'
import type { Config } from '#app/config/config.ts'
import type { AddressState } from './address-state.ts'

/** Says where a name leads, unless to this machine. */
const leading = ({ isName, whose, leadsTo, here }: AddressState): string => {
  if (!isName || whose === 'own') return ''
  const own = here.length > 0 ? ` and not to ${here.join(' or ')}` : ''
  return `, which leads to ${leadsTo.join(' and ')} from here${own}: right where a router or proxy there passes on to this server`
}

/** Looks at the address that links begin with. */
export const lookAtAddress = (state: AddressState, config: Pick<Config, 'dataDir'>): CheckResult => {
  const { url, whose, isFixed, isName, leadsTo, here } = state
  const again = isService(config) ? SYSTEM.restart : 'start the program again'
  const how = `in institute.conf, then ${again}`
  const other = here[0] ?? 'the address that others use'
  const set = isFixed
    ? `set INSTITUTE_BASE_URL to ${other} ${how}`
    : `an owner sets it in the console (at ${other}, Settings, The institute), or set INSTITUTE_BASE_URL ${how}`
  if (whose === 'loopback') {
    return warning(
      `links begin with ${url}, which opens on this machine alone: set INSTITUTE_BASE_URL to ${other}, ${how}`,
    )
  }
  if (whose === 'strange') {
    return warning(
      `people are sent to ${url}, which is not this server's any more: links in mails, calendars and the website's form lead nowhere; ${set}`,
    )
  }
  if (isName && whose !== 'own' && leadsTo.length === 0) {
    return warning(
      `people are sent to ${url}, and from here no address is found for that name: see whether it opens elsewhere; if not, ${set}`,
    )
  }
  if (new URL(url).protocol === 'http:') {
    return warning(
      `${url}${leading(state)}; it is not encrypted, and passwords can be read on their way: set INSTITUTE_TLS_CERT and INSTITUTE_TLS_KEY, or let a proxy do HTTPS, and INSTITUTE_BASE_URL to https://…, ${how}`,
    )
  }
  return passed(`${url}${leading(state)}`)
}
