import { compiled } from '#db/compiled.ts'
import type { Database } from '#db/database.ts'
import { tenantOfHost } from '#modules/domains/index.ts'
import type { Config } from '#app/config/config.ts'
import type { FindName } from './error-page.ts'

const anyName = compiled((db) => db.selectFrom('tenant').select('name').limit(1))
const nameById = compiled((db, { id }: { id: string }) => db.selectFrom('tenant').select('name').where('id', '=', id))

/** Where there are many institutes, the host name says which it is. */
export const instituteName =
  ({ mode }: Pick<Config, 'mode'>, { read }: Pick<Database, 'read'>): FindName =>
  async (host) => {
    if (mode === 'self_hosted') return (await anyName(read, {}))[0]?.name
    const id = await tenantOfHost(read, host)
    return id === undefined ? undefined : (await nameById(read, { id }))[0]?.name
  }
