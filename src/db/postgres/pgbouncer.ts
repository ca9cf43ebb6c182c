import { Client } from 'pg'

/**
 * PgBouncer in transaction mode lends a connection of the server for one transaction at a time. So nothing may be left
 * on a connection for later: no prepared statement, no LISTEN, no setting. It also refuses settings at the start of a
 * connection, except a few that it keeps for each client itself.
 */

const PARAMETER = 'pgbouncer'

/**
 * Splits the parameter `pgbouncer=true` off the address of a database; other libraries know the same parameter.
 * @returns `url` without it, as the driver takes it
 */
export const splitPgBouncer = (address: string): { url: string; pgBouncer: boolean } => {
  const url = new URL(address)
  const pgBouncer = url.searchParams.get(PARAMETER) === 'true'
  if (!url.searchParams.has(PARAMETER)) return { url: address, pgBouncer }
  url.searchParams.delete(PARAMETER)
  return { url: url.href, pgBouncer }
}

interface StartupClient {
  getStartupConf(): Record<string, string>
}

/** A client that names its time zone and form of dates as PgBouncer keeps them for each of its clients. */
export class PgBouncerClient extends Client {
  getStartupConf(): Record<string, string> {
    const { getStartupConf } = Client.prototype as unknown as StartupClient
    return { ...getStartupConf.call(this), timezone: 'UTC', datestyle: 'ISO' }
  }
}
