import type { Queries, SystemDb } from '#kernel/contract/tables.ts'
import { primaryDomainOf } from '#modules/domains/index.ts'
import type { Config } from './config.ts'

const withoutSlash = (url: string): string => url.replace(/\/+$/, '')

/** The host of the configured address, below which the institutes of a cloud have subdomains; undefined: none is. */
export const vendorZone = ({ baseUrl }: Pick<Config, 'baseUrl'>): string | undefined =>
  baseUrl === undefined ? undefined : new URL(baseUrl).hostname

/**
 * The address that links begin with, without a trailing slash: the configured one; else, on a self-hosted install, the
 * one that its institute gave in the wizard or in its settings; else this machine's. A cloud server never uses an
 * institute's own address for links that open accounts, because an account may belong to several institutes.
 */
export const baseUrlOf =
  (config: Pick<Config, 'mode' | 'baseUrl' | 'port' | 'tls'>) =>
  async (db: Queries): Promise<string> => {
    // The port may be known only when the server listens.
    const { mode, baseUrl, port, tls } = config
    if (baseUrl !== undefined) return withoutSlash(baseUrl)
    const thisMachine = `${tls ? 'https' : 'http'}://localhost:${port}`
    if (mode === 'cloud') return thisMachine
    const institute = await db
      .selectFrom('installation')
      .innerJoin('tenant', 'tenant.id', 'installation.tenant_id')
      .select('tenant.settings')
      .where('installation.singleton', '=', 1)
      .executeTakeFirst()
    return withoutSlash(institute?.settings.baseUrl ?? thisMachine)
  }

/**
 * The address that an institute's own links and signed URLs begin with: in cloud mode its primary domain, if it has
 * one; else as `baseUrlOf`. It is read each time, so every process sees a change with its commit.
 * @param everywhere committed rows of all institutes
 */
export const instituteUrlOf = (config: Parameters<typeof baseUrlOf>[0], everywhere: SystemDb) => {
  const serverUrl = baseUrlOf(config)
  /** @param tenantId undefined: the link opens an account */
  return async (db: Queries, tenantId: string | undefined): Promise<string> => {
    const isOwn = config.mode === 'cloud' && tenantId !== undefined
    const domain = isOwn ? await primaryDomainOf(everywhere, tenantId) : undefined
    return domain === undefined ? serverUrl(db) : `https://${domain}`
  }
}
