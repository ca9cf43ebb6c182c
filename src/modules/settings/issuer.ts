import { compiledInTenant } from '#db/queries/compiled.ts'
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

const defaultBranchId = async (whole: ScopedDb): Promise<string | null> =>
  (await whole.selectFrom('branch').select('id').where('is_default', '=', true).executeTakeFirst())?.id ?? null

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

/** What mails of a branch say of the institute; null: those of no branch, which are the seat's. */
export const readLetterhead = async (
  whole: ScopedDb,
  branchId: string | null,
): Promise<{ color: string | null; logoFileId: string | null; address: string | null; phone: string | null }> => {
  const { color, logoFileId, address, branch } = await readIssuer(whole, branchId ?? (await defaultBranchId(whole)))
  const { line1, city } = branch?.address ?? {}
  const ofBranch = [line1, city].filter((part) => part !== undefined && part !== '').join(', ')
  const isSeat = branch === null || branch.isDefault
  return {
    color,
    logoFileId,
    address: (isSeat && address !== null ? address.replaceAll(/\s*\n\s*/g, ', ') : ofBranch) || null,
    phone: branch?.phone ?? null,
  }
}
