import type { Permission } from '#kernel/rights/permissions.ts'
import { fold } from '#shared/text.ts'
import { RowRefused } from '../complaints.ts'
import type { Values } from '../rows.ts'
import type { BranchInReach, Slice } from './kind.ts'

const reached = (slice: Slice, permission: Permission): Promise<BranchInReach[]> =>
  slice.once(`branches ${permission}`, () =>
    slice
      .as(permission)
      .db.selectFrom('branch')
      .select(['id', 'name', 'code', 'is_default'])
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
  )

/**
 * The branch that a row names, among those that the caller reaches.
 * @returns undefined: it names none @throws RowRefused
 */
export const branchNamed = async (
  slice: Slice,
  permission: Permission,
  { branch: named }: Values,
): Promise<string | undefined> => {
  if (named === undefined) return undefined
  const key = fold(named as string)
  const branches = await reached(slice, permission)
  const found = branches.find(({ name, code }) => fold(name) === key || (code !== null && fold(code) === key))
  if (!found) throw new RowRefused('unknown_branch', 'branch')
  return found.id
}

/**
 * The branch of a row that names none: that of the import, the default one, or else the first that the caller reaches.
 * @throws RowRefused
 */
export const usualBranch = async (slice: Slice, permission: Permission): Promise<string> => {
  const branches = await reached(slice, permission)
  if (slice.branchId !== null) {
    if (!branches.some(({ id }) => id === slice.branchId)) throw new RowRefused('out_of_reach', 'branch')
    return slice.branchId
  }
  const branch = branches.find(({ is_default: isDefault }) => isDefault) ?? branches[0]
  if (!branch) throw new RowRefused('out_of_reach', 'branch')
  return branch.id
}

/** What a branch is called. */
export const branchName = async (slice: Slice, permission: Permission, branchId: string): Promise<string | undefined> =>
  (await reached(slice, permission)).find(({ id }) => id === branchId)?.name
