import { domainToASCII } from 'node:url'
import { isIP } from 'node:net'

/** The name of the TXT record that proves that a domain is the institute's. */
export const txtNameOf = (domain: string): string => `${TXT_LABEL}.${domain}`
const TXT_LABEL = '_institute-verify'

/** The DNS takes names of 253 characters; the one of the TXT record must fit too. */
export const LONGEST_NAME = 253 - TXT_LABEL.length - 1

/** Characters that belong to addresses of pages, or that a URL parser would read as something else. */
const FOREIGN = /[\s\p{Cc}/\\:@?#%[\]_*]/u

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Returns a domain name as the DNS has it: in ASCII (IDNA), in lower case, without a dot at the end. undefined: it is
 * not the name of a host below a domain (an IP address in any spelling, a port or path, a single label, a wildcard).
 */
export const normalDomain = (typed: string): string | undefined => {
  if (FOREIGN.test(typed)) return undefined
  const domain = domainToASCII(typed.replace(/[.\u3002\uff0e\uff61]$/u, ''))
  const labels = domain.split('.')
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label)) && isIP(domain) === 0
  return isName && domain.length <= LONGEST_NAME ? domain : undefined
}

/** Whether a domain lies below another one. */
export const isBelow = (domain: string, zone: string): boolean => domain.endsWith(`.${zone}`)
