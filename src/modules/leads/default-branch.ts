import { forKeyShare } from '#db/dialect.ts'
import type { Tx } from '#kernel/unit-of-work.ts'

/** The branch that records come to for which nobody chose one: an institute always has it. For a record that names it. */
export const defaultBranch = async ({ whole }: Tx): Promise<string> => {
  const branch = whole.selectFrom('branch').select('id').where('is_default', '=', true)
  const { id } = await forKeyShare(whole, branch).executeTakeFirstOrThrow()
  return id
}
