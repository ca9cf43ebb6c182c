import { invalid } from '#kernel/values/errors.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { checkMember } from '#modules/members/index.ts'
import { guardianRecord, studentRecord } from '#modules/people/index.ts'
import { keepSessionsBeside } from '#modules/sessions/index.ts'
import { lockReferenced, lockReferencedRow } from '#runtime/records/records.ts'
import { isEntityType, type Completion, type EntityType } from './schemas.ts'
import { OWNERS, type OwnerColumns, type OwnerTable } from './tables.ts'

const NOT_ATTACHED = {
  ...(Object.fromEntries(Object.values(OWNERS).map((column) => [column, null])) as OwnerColumns),
  user_id: null,
  label: null,
  label_id: null,
}

/** The columns that say what a file is attached to. */
export type Attachment = OwnerColumns & { user_id: string | null; label: string | null; label_id: string | null }

/** A record of the institute. */
export interface Entity {
  type: EntityType
  id: string
}

/** A label that the caller chose, and an id that means something to them. It refers to no record of the institute. */
export interface Label {
  label: string
  id: string | null
}

export type AttachedTo = Entity | Label

/** These records have no branch: a file attached to them belongs to the branch of its uploader. */
const BRANCHLESS: ReadonlySet<EntityType> = new Set(['course', 'user'])

/** @returns undefined when neither is given @throws VALIDATION_ERROR for a record without its type or its id */
export const attachedBy = ({
  entityType: type,
  entityId: id,
}: Pick<Completion, 'entityType' | 'entityId'>): AttachedTo | undefined => {
  if (type === undefined) {
    if (id !== undefined) throw invalid(['entityType'], 'Is required with entityId.')
    return undefined
  }
  if (!isEntityType(type)) return { label: type, id: id ?? null }
  if (id === undefined) throw invalid(['entityId'], `Is required with entityType ${type}.`)
  return { type, id }
}

/** Locks a record of each kind for key share. */
const LOCK: Record<OwnerTable, (tx: { db: ScopedDb }, id: string) => Promise<void>> = {
  student: async (tx, id) => void (await lockReferencedRow(tx, studentRecord, id)),
  guardian: async (tx, id) => void (await lockReferencedRow(tx, guardianRecord, id)),
  staff: (tx, id) => lockReferenced(tx, 'staff', id),
  branch: (tx, id) => lockReferenced(tx, 'branch', id),
  course: (tx, id) => lockReferenced(tx, 'course', id),
  group: (tx, id) => lockReferenced(tx, 'group', id),
  invoice: (tx, id) => lockReferenced(tx, 'invoice', id),
  progress_report: (tx, id) => lockReferenced(tx, 'progress_report', id),
  session: async (tx, id) => {
    // Before the session, as whoever removes sessions does.
    await keepSessionsBeside(tx, id)
    await lockReferenced(tx, 'session', id)
  },
  exam: (tx, id) => lockReferenced(tx, 'exam', id),
}

/**
 * Checks that the record exists, and locks it so that it stays until a file refers to it.
 * @param db what the caller can reach
 * @throws NotFound for a record that does not exist, or that the caller cannot reach; PersonErased
 */
export const checkEntity = async (db: ScopedDb, whole: ScopedDb, { type, id }: Entity): Promise<void> => {
  if (type !== 'user') return LOCK[type]({ db }, id)
  await checkMember({ whole }, id)
}

export const attachmentOf = (to: AttachedTo | undefined): Attachment => {
  if (!to) return NOT_ATTACHED
  if ('label' in to) return { ...NOT_ATTACHED, label: to.label, label_id: to.id }
  return { ...NOT_ATTACHED, [to.type === 'user' ? 'user_id' : OWNERS[to.type]]: to.id }
}

/** Whether the file belongs to the branch of its uploader: it is attached to nothing, or to a record without a branch. */
export const isOfUploader = (to: AttachedTo | undefined): boolean => !to || ('type' in to && BRANCHLESS.has(to.type))

/** What the file is attached to; undefined: nothing. */
export const attachedIn = (row: Attachment): AttachedTo | undefined => {
  if (row.label !== null) return { label: row.label, id: row.label_id }
  if (row.user_id !== null) return { type: 'user', id: row.user_id }
  const type = (Object.keys(OWNERS) as OwnerTable[]).find((owner) => row[OWNERS[owner]] !== null)
  return type && { type, id: row[OWNERS[type]] as string }
}
