import type { Caller } from '#kernel/actor.ts'
import { Forbidden, NotFound } from '#kernel/errors.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import { entityIn } from './attach.ts'
import type { FileRow } from './record.ts'
import './tables.ts'

/** Whose own things a caller reaches without a permission; undefined: a key has none. */
export const selfOf = ({ actor }: Caller): string | undefined => (actor.type === 'user' ? actor.userId : undefined)

/** A picture that somebody brought for their own profile. */
export const isOwnAvatar = (row: FileRow, userId: string | undefined): boolean =>
  userId !== undefined && row.kind === 'avatar' && row.uploaded_by_user_id === userId && entityIn(row) === undefined

/** Whether a student is the user, or one whose guardian the user is. */
const isOwnStudent = async (whole: ScopedDb, studentId: string, userId: string): Promise<boolean> => {
  const own = await whole
    .selectFrom('student')
    .select('id')
    .where('id', '=', studentId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (own) return true
  const guarded = await whole
    .selectFrom('guardian_link')
    .innerJoin('guardian', 'guardian.id', 'guardian_link.guardian_id')
    .select('guardian_link.id')
    .where('guardian_link.student_id', '=', studentId)
    .where('guardian.user_id', '=', userId)
    .executeTakeFirst()
  return guarded !== undefined
}

/** Their own avatar, and what is attached to their own student, is read by everybody. */
export const mayReadAsOwn = async (whole: ScopedDb, row: FileRow, userId: string): Promise<boolean> =>
  isOwnAvatar(row, userId) || (row.student_id !== null && (await isOwnStudent(whole, row.student_id, userId)))

interface Looking {
  caller: Caller
  permission: 'files.read' | 'files.write'
  /** Finds it among what the permission reaches, and among all of the institute's files. */
  find(where: 'reached' | 'whole'): Promise<FileRow | undefined>
  isOwn(row: FileRow, userId: string): boolean | Promise<boolean>
}

/**
 * A file that the caller's permission reaches, or that is the caller's own. Who lacks the permission is not told whether
 * there is a file that is not theirs.
 * @throws NotFound, Forbidden
 */
export const reachedFile = async ({ caller, permission, find, isOwn }: Looking): Promise<FileRow> => {
  const reached = await find('reached')
  if (reached) return reached
  const userId = selfOf(caller)
  const own = userId === undefined ? undefined : await find('whole')
  if (own && userId !== undefined && (await isOwn(own, userId))) return own
  throw caller.grants.holds(permission) ? NotFound() : Forbidden()
}
