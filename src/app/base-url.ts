import type { OutsideDb } from '#kernel/tables.ts'
import type { Config } from './config.ts'

const withoutSlash = (url: string): string => url.replace(/\/+$/, '')

/**
 * What links and signed URLs begin with, without a slash at its end: the configured address, else the one that the
 * institute of a self-hosted install gave in the wizard or in its settings, else this machine's. A server of many
 * institutes follows none of them: their links open accounts that belong to others too.
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
