import type { SystemTx } from '#kernel/contract/unit-of-work.ts'

/** Makes a locked account a platform admin. @returns false when it is one already */
export const makePlatformAdmin = async (tx: SystemTx, userId: string): Promise<boolean> => {
  const { numUpdatedRows } = await tx.db
    .updateTable('user')
    .set({ is_platform_admin: true, updated_at: tx.now })
    .where('id', '=', userId)
    .where('is_platform_admin', '=', false)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  tx.audit({
    entityType: 'user',
    entityId: userId,
    before: { isPlatformAdmin: false },
    after: { isPlatformAdmin: true },
  })
  return true
}
