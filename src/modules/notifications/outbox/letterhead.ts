import { pictureType } from '#modules/files/index.ts'
import type { Letterhead } from '#modules/mail/index.ts'
import { readLetterhead } from '#modules/settings/index.ts'
import { toTenantInfo, type TenantColumns } from '#modules/tenants/index.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { isStorageFailure } from '#runtime/records/handles.ts'

export interface LetterheadDeps {
  /** The bytes of a logo; null: its file is gone. */
  readLogo: (whole: ScopedDb, fileId: string) => Promise<Buffer | null>
}

/** A larger picture would make each of hundreds of mails slow: they show the name alone. */
const MOST_BYTES = 100_000

type About = TenantColumns & { tenant_id: string; channel: string; branch_id: string | null }

/**
 * How a mail looks like one of the institute, of a branch or of its seat. One whose logo cannot be read goes without it.
 * @throws what the database throws, and when the program ends: the job runs again
 */
export const letterheadFor = async (
  whole: ScopedDb,
  branchId: string | null,
  { signal, readLogo }: LetterheadDeps & Pick<JobContext, 'signal'>,
): Promise<Letterhead> => {
  const { color, logoFileId, address, phone } = await readLetterhead(whole, branchId)
  const read = async () => {
    if (logoFileId === null) return null
    const bytes = await readLogo(whole, logoFileId)
    const type = bytes === null || bytes.length > MOST_BYTES ? undefined : pictureType(bytes.subarray(0, 12))
    return bytes !== null && type !== undefined ? { bytes, type } : null
  }
  const logo = await read().catch((error: unknown) => {
    if (signal.aborted || isStorageFailure(error)) throw error
    return null
  })
  return { color, logo, address, phone }
}

/** The same for a message; null: it is no mail. */
export const letterheadOf = async (
  row: About,
  { inTenant, ...deps }: LetterheadDeps & Pick<JobContext, 'inTenant' | 'signal'>,
): Promise<Letterhead | null> =>
  row.channel === 'email' ? letterheadFor(inTenant(toTenantInfo(row.tenant_id, row)), row.branch_id, deps) : null
