import { passed, warning, type CheckResult } from '#kernel/check.ts'
import { isService } from '#app/executable/command-line.ts'
import type { Config } from '#app/config/config.ts'
import { isLoopbackName } from './own-hosts.ts'

/** Looks at the address that links begin with. @param url as baseUrlOf returns it */
export const lookAtAddress = (url: string, config: Pick<Config, 'dataDir'>): CheckResult => {
  const { protocol, hostname } = new URL(url)
  const again = isService(config) ? 'sudo systemctl restart institute' : 'start the program again'
  const how = `in institute.conf, then ${again}`
  if (isLoopbackName(hostname)) {
    return warning(
      `links begin with ${url}, which opens on this machine alone: set INSTITUTE_BASE_URL to the address that others use, ${how}`,
    )
  }
  if (protocol === 'http:') {
    return warning(
      `${url} is not encrypted, and passwords can be read on their way: set INSTITUTE_TLS_CERT and INSTITUTE_TLS_KEY, or let a proxy do HTTPS, and INSTITUTE_BASE_URL to https://…, ${how}`,
    )
  }
  return passed(url)
}
