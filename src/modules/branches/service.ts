import type { InferOutput } from 'valibot'
import { failure } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import { withStoredPhone } from '#kernel/values/phone.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { checkRoom, countRows, lockInstitute, lockQuota, type CountInPlan } from '#modules/tenants/index.ts'
import { changeRecord, createRecord, deleteRecord, recordOf, lockRow, lockToDelete } from '#runtime/records/records.ts'
import { Branch, type BranchChanges, type NewBranch } from './schemas.ts'

export const BranchNameTaken = failure('CONFLICT', 'branch_name_taken', 'There is another branch of this name.')
export const DefaultBranchStays = failure(
  'CONFLICT',
  'default_branch',
  'The default branch cannot be deleted, switched off or left without a successor: make another branch the default.',
)
export const BranchInUse = failure(
  'CONFLICT',
  'branch_in_use',
  'Records or role assignments still belong to this branch.',
)

const toBranch = shows(Branch)

const branchRecord = recordOf('branch', {
  show: toBranch,
  refusals: { unique: { 'branch(name)': BranchNameTaken } },
  inUse: BranchInUse,
})

/** Lists every branch, oldest first; this list has no pages. */
export const listBranches = async (db: ScopedDb): Promise<Branch[]> => {
  const rows = await db.selectFrom('branch').selectAll().orderBy('created_at').orderBy('id').execute()
  return rows.map(toBranch)
}

/** Needs lockInstitute, so that two new default branches are set one after the other. */
const clearDefault = async ({ whole, now }: Tx): Promise<void> => {
  await whole.updateTable('branch').set({ is_default: false, updated_at: now }).where('is_default', '=', true).execute()
}

export const countBranches = (whole: ScopedDb): Promise<number> => countRows(whole.selectFrom('branch'))

/** Counts the branches in the plan. */
export const countActive: CountInPlan = (whole) => countRows(whole.selectFrom('branch').where('is_active', '=', true))

/** @throws QuotaExceeded, BranchNameTaken, VALIDATION_ERROR */
export const createBranch = async (tx: Tx, body: InferOutput<typeof NewBranch>): Promise<Branch> => {
  await checkRoom(tx, 'maxBranches', countActive)
  if (body.isDefault) {
    await lockInstitute(tx)
    await clearDefault(tx)
  }
  return createRecord(tx, branchRecord, { ...withStoredPhone(tx, body), isActive: true })
}

/** @throws NotFound, QuotaExceeded for one that is switched on again, BranchNameTaken, DefaultBranchStays, VALIDATION_ERROR */
export const changeBranch = async (tx: Tx, id: string, body: InferOutput<typeof BranchChanges>): Promise<Branch> => {
  const isActive = body.isDefault ? true : body.isActive
  if (body.isDefault) await lockInstitute(tx)
  else if (isActive) await lockQuota(tx, 'maxBranches')
  const row = await lockRow(tx, branchRecord, id)
  if (isActive && !row.is_active) await checkRoom(tx, 'maxBranches', countActive)
  if (row.is_default && (body.isDefault === false || body.isActive === false)) throw DefaultBranchStays()
  if (body.isDefault && !row.is_default) await clearDefault(tx)
  return changeRecord(tx, branchRecord, row, { ...withStoredPhone(tx, body), isActive })
}

/** @throws NotFound, DefaultBranchStays, BranchInUse */
export const deleteBranch = async (tx: Tx, id: string) => {
  const row = await lockToDelete(tx, branchRecord, id)
  if (row.is_default) throw DefaultBranchStays()
  return deleteRecord(tx, branchRecord, row)
}
