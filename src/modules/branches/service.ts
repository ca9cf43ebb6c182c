import type { InferOutput } from 'valibot'
import type { Selectable } from 'kysely'
import { locked, lockedForChange, refusing } from '#db/dialect.ts'
import { failure, NotFound } from '#kernel/errors.ts'
import { storedPhone } from '#kernel/phone.ts'
import type { ScopedDb, Tables } from '#kernel/tables.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { lockInstitute } from '#modules/settings/index.ts'
import type { Branch, BranchChanges, NewBranch } from './schemas.ts'
import './tables.ts'

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

const nameRule = { unique: { 'branch(name)': BranchNameTaken } }

const toBranch = (tenantId: string, row: Selectable<Tables['branch']>): InferOutput<typeof Branch> => ({
  id: row.id,
  tenantId,
  name: row.name,
  code: row.code,
  address: row.address,
  phone: row.phone,
  isDefault: row.is_default,
  isActive: row.is_active,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** Every branch, oldest first; the contract gives this list no pages. */
export const listBranches = async (db: ScopedDb, tenantId: string): Promise<InferOutput<typeof Branch>[]> => {
  const rows = await db.selectFrom('branch').selectAll().orderBy('created_at').orderBy('id').execute()
  return rows.map((row) => toBranch(tenantId, row))
}

const branchById = (db: ScopedDb, id: string) => db.selectFrom('branch').selectAll().where('id', '=', id)

/** @throws NotFound when the caller reaches no such branch */
const showBranch = async (
  { tenant }: Tx,
  query: ReturnType<typeof branchById>,
): Promise<InferOutput<typeof Branch>> => {
  const row = await query.executeTakeFirst()
  if (!row) throw NotFound()
  return toBranch(tenant.id, row)
}

/** Under lockInstitute: of two new default branches one follows the other. */
const clearDefault = async ({ whole, now }: Tx): Promise<void> => {
  await whole.updateTable('branch').set({ is_default: false, updated_at: now }).where('is_default', '=', true).execute()
}

/** @throws BranchNameTaken */
export const createBranch = async (
  tx: Tx,
  body: InferOutput<typeof NewBranch>,
): Promise<InferOutput<typeof Branch>> => {
  if (body.isDefault) {
    await lockInstitute(tx)
    await clearDefault(tx)
  }
  const id = tx.id()
  await tx.db
    .insertInto('branch')
    .values({
      id,
      name: body.name,
      code: body.code ?? null,
      address: body.address ?? null,
      phone: storedPhone(body.phone, tx.tenant.timezone, ['phone']) ?? null,
      is_default: body.isDefault,
      is_active: true,
      created_at: tx.now,
      updated_at: tx.now,
    })
    .execute()
    .catch(refusing(nameRule))
  const branch = await showBranch(tx, branchById(tx.db, id))
  tx.audit({ entityType: 'branch', entityId: id, after: branch })
  return branch
}

/** @throws NotFound, BranchNameTaken, DefaultBranchStays */
export const changeBranch = async (
  tx: Tx,
  id: string,
  changes: InferOutput<typeof BranchChanges>,
): Promise<InferOutput<typeof Branch>> => {
  if (changes.isDefault) await lockInstitute(tx)
  const before = await showBranch(tx, lockedForChange(tx.db, branchById(tx.db, id)))
  if (before.isDefault && (changes.isDefault === false || changes.isActive === false)) throw DefaultBranchStays()
  if (changes.isDefault && !before.isDefault) await clearDefault(tx)
  await tx.db
    .updateTable('branch')
    .set({
      name: changes.name,
      code: changes.code,
      address: changes.address,
      phone: storedPhone(changes.phone, tx.tenant.timezone, ['phone']),
      is_default: changes.isDefault,
      is_active: changes.isDefault ? true : changes.isActive,
      updated_at: tx.now,
    })
    .where('id', '=', id)
    .execute()
    .catch(refusing(nameRule))
  const after = await showBranch(tx, branchById(tx.db, id))
  tx.audit({ entityType: 'branch', entityId: id, before, after })
  return after
}

/** @throws NotFound, DefaultBranchStays, BranchInUse */
export const deleteBranch = async (tx: Tx, id: string): Promise<void> => {
  const before = await showBranch(tx, locked(tx.db, branchById(tx.db, id)))
  if (before.isDefault) throw DefaultBranchStays()
  await tx.db
    .deleteFrom('branch')
    .where('id', '=', id)
    .execute()
    .catch(refusing({ foreignKey: BranchInUse }))
  tx.audit({ entityType: 'branch', entityId: id, before })
}
