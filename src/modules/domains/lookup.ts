import { isIP } from 'node:net'
import { compiled } from '#db/queries/compiled.ts'
import { found } from '#kernel/values/errors.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import type { SystemTx, Tx } from '#kernel/contract/unit-of-work.ts'
import { findTenant } from '#modules/tenants/index.ts'
import type { Row } from '#runtime/records/records.ts'

/**
 * Finds domains where the institute is not known yet. Nothing is cached: each lookup reads one index entry, so every
 * process sees a change of a domain with its commit.
 */

const findById = compiled((db, { id }: { id: string }) =>
  db.selectFrom('tenant_domain').selectAll().where('id', '=', id),
)

const findVerified = compiled((db, { domain }: { domain: string }) =>
  db.selectFrom('tenant_domain').select('tenant_id').where('domain', '=', domain).where('verified_at', 'is not', null),
)

const findPrimary = compiled((db, { tenantId }: { tenantId: string }) =>
  db.selectFrom('tenant_domain').select('domain').where('tenant_id', '=', tenantId).where('is_primary', '=', true),
)

/** Returns the domain with this id, of any institute. @throws NotFound */
export const findDomain = async ({ everywhere }: { everywhere: SystemDb }, id: string): Promise<Row<'tenant_domain'>> =>
  found((await findById(everywhere, { id }))[0])

/** The transaction inside the institute of a domain. @throws NotFound for the domain */
export const inTenantOfDomain = async (tx: SystemTx, id: string): Promise<Tx> => {
  const { tenant_id: tenantId } = await findDomain(tx, id)
  return tx.inTenant(found(await findTenant(tx.db, tenantId)))
}

/** Returns the id of the institute for which a name, as the DNS has it, was verified; undefined: for none. */
export const tenantOfDomain = async (
  { everywhere }: { everywhere: SystemDb },
  domain: string,
): Promise<string | undefined> => (await findVerified(everywhere, { domain }))[0]?.tenant_id

/** Returns the primary domain of an institute; undefined: it has none. */
export const primaryDomainOf = async (db: SystemDb, tenantId: string): Promise<string | undefined> =>
  (await findPrimary(db, { tenantId }))[0]?.domain

/** The longest name that the DNS takes. */
const LONGEST_HOST = 253

/**
 * Returns the id of the institute at whose verified domain a request arrived; undefined: at none.
 * @param host the name in the address, without a port, as the client sent it
 */
export const tenantOfHost = async (everywhere: SystemDb, host: string): Promise<string | undefined> => {
  const domain = host.toLowerCase().replace(/\.$/, '')
  if (domain === '' || domain.length > LONGEST_HOST || isIP(domain) !== 0) return undefined
  return tenantOfDomain({ everywhere }, domain)
}
