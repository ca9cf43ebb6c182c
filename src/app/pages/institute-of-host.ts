import { compiled } from '#db/queries/compiled.ts'
import type { Database } from '#db/database.ts'
import type { Locale } from '#shared/locale.ts'
import { tenantOfHost } from '#modules/domains/index.ts'
import type { Config } from '#app/config/config.ts'

/** How an institute shows itself to whoever opens its address. */
export interface InstituteOfHost {
  name: string
  locale: Locale
  /** #RRGGBB; null: none is chosen. */
  color: string | null
}

/** Finds the institute that a server is, or that has this host name; undefined: there is none. */
export type FindInstitute = (host: string) => Promise<InstituteOfHost | undefined>

const SHOWN = ['name', 'default_locale', 'settings'] as const
const anyTenant = compiled((db) => db.selectFrom('tenant').select(SHOWN).limit(1))
const tenantById = compiled((db, { id }: { id: string }) => db.selectFrom('tenant').select(SHOWN).where('id', '=', id))

/** Where there are many institutes, the host name says which it is. */
export const instituteOfHost =
  ({ mode }: Pick<Config, 'mode'>, { read }: Pick<Database, 'read'>): FindInstitute =>
  async (host) => {
    const id = mode === 'self_hosted' ? undefined : await tenantOfHost(read, host)
    if (mode === 'cloud' && id === undefined) return undefined
    const [row] = await (id === undefined ? anyTenant(read, {}) : tenantById(read, { id }))
    return row && { name: row.name, locale: row.default_locale, color: row.settings.branding?.color ?? null }
  }
