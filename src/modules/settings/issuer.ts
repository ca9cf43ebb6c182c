import { compiledInTenant } from '#db/compiled.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Address } from '#kernel/values/schema.ts'
import { readSettings } from './record.ts'

/** By whom a paper is: what stands at its top. */
export interface Issuer {
  name: string
  /** In lines as on an envelope. */
  address: string | null
  taxNumber: string | null
  logoFileId: string | null
  color: string | null
  /** In whose days and hours it is written. */
  timezone: string
  /** null: the paper is of no branch. */
  branch: { name: string; address: Address | null; phone: string | null; isDefault: boolean } | null
}

const branchOf = compiledInTenant((whole, { id }: { id: string }) =>
  whole.selectFrom('branch').select(['name', 'address', 'phone', 'is_default as isDefault']).where('id', '=', id),
)

/** The institute as it is now. */
export const readIssuer = async (whole: ScopedDb, branchId: string | null): Promise<Issuer> => {
  const { name, timezone, papers, branding } = await readSettings(whole)
  const [branch] = branchId === null ? [] : await branchOf(whole, { id: branchId })
  return {
    name,
    address: papers.address,
    taxNumber: papers.taxNumber,
    logoFileId: branding.logoFileId,
    color: branding.color,
    timezone,
    branch: branch ?? null,
  }
}
