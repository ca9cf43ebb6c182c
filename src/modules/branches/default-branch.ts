import { compiledInTenant } from '#db/queries/compiled.ts'
import { forKeyShare } from '#db/dialect.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'

const lockDefault = compiledInTenant((whole) =>
  forKeyShare(whole, whole.selectFrom('branch').select('id').where('is_default', '=', true)),
)

/**
 * The branch for records whose branch nobody chose; every institute has one. Locks it, so that a record can refer to
 * it.
 */
export const lockDefaultBranch = async ({ whole }: Tx): Promise<string> => {
  const [branch] = await lockDefault(whole, {})
  if (!branch) throw new Error('the institute has no default branch')
  return branch.id
}
