import { forUpdate } from '#db/dialect.ts'
import type { Caller } from '#kernel/who/actor.ts'
import { failure } from '#kernel/values/errors.ts'
import { ok } from '#kernel/values/schema.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { toImport } from './service.ts'
import { checkSeen } from './sight.ts'

export const ImportRunning = failure(
  'CONFLICT',
  'import_running',
  'The import is under way: it can be removed once it has ended.',
)

/**
 * Removes an import with all that it keeps; one that has not begun never begins. What it wrote stays, and so does its file.
 * @throws NotFound, ImportRunning
 */
export const removeImport = async (tx: Tx, caller: Caller, id: string): Promise<typeof ok> => {
  const { whole } = tx
  const asked = whole.selectFrom('import').selectAll().where('id', '=', id)
  const row = checkSeen(caller, await forUpdate(whole, asked).executeTakeFirst())
  if (row.status === 'running') throw ImportRunning()
  await whole.deleteFrom('import').where('id', '=', id).execute()
  // What stood in its rows is gone: the audit log keeps none of it.
  tx.audit({ entityType: 'import', entityId: id, before: { ...toImport(row), errors: [], told: [], preview: [] } })
  return ok
}
