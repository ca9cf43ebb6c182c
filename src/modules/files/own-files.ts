import type { Caller } from '#kernel/who/actor.ts'
import { Forbidden, NotFound } from '#kernel/values/errors.ts'
import { isOwnStudent } from '#modules/people/index.ts'
import { studentOfSentReport } from '#modules/progress-reports/index.ts'
import { attachedIn } from './attach.ts'
import { isClassRecord, mayAttachTo, mayReadOf, type Asking } from './class-files.ts'
import type { FileRow } from './record.ts'

/**
 * The user whose own files the caller reaches without a permission; undefined when no user calls, as with an API key.
 */
export const selfOf = ({ actor }: Caller): string | undefined => (actor.type === 'user' ? actor.userId : undefined)

/** Whether the file is a picture that this user uploaded for their own profile. */
export const isOwnAvatar = (row: FileRow, userId: string | undefined): boolean =>
  userId !== undefined && row.kind === 'avatar' && row.uploaded_by_user_id === userId && attachedIn(row) === undefined

/**
 * Everybody may read their own avatar. Students and their guardians may also read files that are attached to the student,
 * or to a report on the student that was sent; who may read a session or an exam, its files.
 */
export const mayReadAsOwn = async (asking: Asking, row: FileRow): Promise<boolean> => {
  const { whole, caller } = asking
  if (isOwnAvatar(row, selfOf(caller))) return true
  const to = attachedIn(row)
  if (isClassRecord(to)) return mayReadOf(asking, to)
  const studentId =
    row.progress_report_id === null ? row.student_id : await studentOfSentReport(whole, row.progress_report_id)
  return studentId !== null && (await isOwnStudent(whole, caller, { studentId, sight: 'learning' }))
}

/** Whether the caller may replace or delete the file without files.write. */
export const mayChangeAsOwn = async (asking: Asking, row: FileRow): Promise<boolean> => {
  if (isOwnAvatar(row, selfOf(asking.caller))) return true
  const to = attachedIn(row)
  return isClassRecord(to) && mayAttachTo(asking, to)
}

interface Looking {
  caller: Caller
  permission: 'files.read' | 'files.write'
  /** Finds the file among those that the permission reaches, or among all files of the institute. */
  find(where: 'reached' | 'whole'): Promise<FileRow | undefined>
  isOwn(row: FileRow): Promise<boolean>
}

/**
 * Finds a file that the caller's permission reaches or that is their own. A caller without the permission gets the same
 * refusal for other people's files and for files that do not exist.
 * @throws NotFound, Forbidden
 */
export const reachedFile = async ({ caller, permission, find, isOwn }: Looking): Promise<FileRow> => {
  const reached = await find('reached')
  if (reached) return reached
  const own = selfOf(caller) === undefined ? undefined : await find('whole')
  if (own && (await isOwn(own))) return own
  throw caller.grants.holds(permission)
    ? NotFound()
    : Forbidden({ reason: 'permission_missing', permissions: [permission] })
}
