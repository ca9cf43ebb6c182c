import { forKeyShare } from '#db/dialect.ts'
import { invalid, NotFound } from '#kernel/errors.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import type { Completion, EntityType } from './schemas.ts'
import { OWNERS, type OwnerColumns, type OwnerTable } from './tables.ts'

const NOT_ATTACHED = Object.fromEntries(Object.values(OWNERS).map((column) => [column, null])) as OwnerColumns

/** The columns that say which record a file is attached to. */
export type Attachment = OwnerColumns & { user_id: string | null }

/** These records have no branch: a file attached to them belongs to the branch of its uploader. */
const BRANCHLESS: ReadonlySet<EntityType> = new Set(['course', 'user'])

export interface Entity {
  type: EntityType
  id: string
}

/** @returns undefined when neither is given @throws VALIDATION_ERROR for one without the other */
export const entityOf = ({ entityType, entityId }: Pick<Completion, 'entityType' | 'entityId'>): Entity | undefined => {
  if (entityType === undefined && entityId === undefined) return undefined
  if (entityType === undefined) throw invalid(['entityType'], 'Is required with entityId.')
  if (entityId === undefined) throw invalid(['entityId'], 'Is required with entityType.')
  return { type: entityType, id: entityId }
}

/**
 * Checks that the record exists, and locks it so that it stays until a file refers to it.
 * @param db what the caller can reach
 * @throws NotFound for a record that does not exist, or that the caller cannot reach
 */
export const checkEntity = async (db: ScopedDb, whole: ScopedDb, { type, id }: Entity): Promise<void> => {
  const found =
    type === 'user'
      ? await whole.selectFrom('membership').select('id').where('user_id', '=', id).executeTakeFirst()
      : await forKeyShare(db, db.selectFrom(type).select('id').where('id', '=', id)).executeTakeFirst()
  if (!found) throw NotFound()
}

export const attachmentOf = (entity: Entity | undefined): Attachment => ({
  ...NOT_ATTACHED,
  user_id: null,
  ...(entity && { [entity.type === 'user' ? 'user_id' : OWNERS[entity.type]]: entity.id }),
})

/** Whether the record that the file is attached to, if any, has no branch. */
export const isBranchless = (entity: Entity | undefined): boolean => !entity || BRANCHLESS.has(entity.type)

/** The record that a file is attached to; undefined: none. */
export const entityIn = (row: Attachment): Entity | undefined => {
  if (row.user_id !== null) return { type: 'user', id: row.user_id }
  const type = (Object.keys(OWNERS) as OwnerTable[]).find((owner) => row[OWNERS[owner]] !== null)
  return type && { type, id: row[OWNERS[type]] as string }
}
