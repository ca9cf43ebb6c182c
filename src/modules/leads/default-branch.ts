import { forKeyShare } from '#db/dialect.ts'
import type { Tx } from '#kernel/unit-of-work.ts'

/**
 * The branch for records whose branch nobody chose; every institute has one. Locks it, so that a record can refer to
 * it.
 */
export const defaultBranch = async ({ whole }: Tx): Promise<string> => {
  const branch = whole.selectFrom('branch').select('id').where('is_default', '=', true)
  const { id } = await forKeyShare(whole, branch).executeTakeFirstOrThrow()
  return id
}
