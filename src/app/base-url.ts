import type { OutsideDb } from '#kernel/tables.ts'
import type { Config } from './config.ts'

const withoutSlash = (url: string): string => url.replace(/\/+$/, '')

/**
 * The address that links and signed URLs begin with, without a trailing slash: the configured one; else, on a
 * self-hosted install, the one that its institute gave in the wizard or in its settings; else this machine's. A cloud
 * server never uses an institute's own address, because its links also open accounts that belong to other institutes.
 */
export const baseUrlOf =
  ({ mode, baseUrl, port, tls }: Pick<Config, 'mode' | 'baseUrl' | 'port' | 'tls'>) =>
  async (db: OutsideDb): Promise<string> => {
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
