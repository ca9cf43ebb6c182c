import type { Caller, TenantInfo } from '#kernel/who/actor.ts'
import type { Permission } from '#kernel/rights/permissions.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { isAnyOnRoster } from '#modules/attendance/index.ts'
import { isAnyInPublished } from '#modules/exams/index.ts'
import { ownStudentIds } from '#modules/people/index.ts'
import { mayWriteOn } from '#modules/sessions/index.ts'
import type { AttachedTo, Entity } from './attach.ts'

/**
 * The files of a session or an exam, such as a worksheet. Teachers hold no permission for files: who may write on the
 * record may add files to it, who may read it reads them, and so do the families of its students.
 */

/** Any of these may let somebody write on such a record. */
const WRITE = {
  session: ['groups.write', 'attendance.mark'],
  exam: ['exams.write'],
} as const satisfies Record<string, readonly Permission[]>

const READ = { session: 'groups.read', exam: 'exams.read' } as const satisfies Record<string, Permission>

type ClassType = keyof typeof WRITE
export type ClassRecord = Entity & { type: ClassType }

export const isClassRecord = (to: AttachedTo | undefined): to is ClassRecord =>
  to !== undefined && 'type' in to && Object.hasOwn(WRITE, to.type)

/** Whether the caller may write on any such record. */
export const writesOnSome = ({ grants }: Caller): boolean =>
  Object.values(WRITE)
    .flat()
    .some((permission) => grants.holds(permission))

/** Whose files are asked for, and who asks. */
export interface Asking {
  caller: Caller
  whole: ScopedDb
  tenant: Pick<TenantInfo, 'timezone'>
  /** The rows that the caller reaches by this permission; undefined: the caller does not have it. */
  reachedBy(permission: Permission): Promise<ScopedDb | undefined>
}

export const askingIn = (tx: Tx, caller: Caller): Asking => ({
  caller,
  whole: tx.whole,
  tenant: tx.tenant,
  reachedBy: (permission) => {
    const reach = caller.grants.reach(permission)
    return Promise.resolve(reach && tx.within(reach).db)
  },
})

const reaches = async (asking: Asking, permissions: readonly Permission[], { type, id }: ClassRecord) => {
  for (const permission of permissions) {
    const db = await asking.reachedBy(permission)
    if (!db) continue
    const found =
      type === 'session'
        ? db.selectFrom('session').select('id').where('id', '=', id)
        : db.selectFrom('exam').select('id').where('id', '=', id)
    if (await found.executeTakeFirst()) return true
  }
  return false
}

/** Whether the caller may write on the record, and so add files to it and remove them. */
export const mayAttachTo = async (asking: Asking, record: ClassRecord): Promise<boolean> =>
  (await reaches(asking, WRITE[record.type], record)) &&
  (record.type === 'exam' || (await mayWriteOn(asking.whole, asking.caller, record.id)))

/**
 * Whether the caller reads the record as staff, or is a student on its roster or the guardian of one. Of an exam that is
 * not published families know nothing.
 */
export const mayReadOf = async (asking: Asking, record: ClassRecord): Promise<boolean> => {
  const { whole, caller, tenant } = asking
  const { type, id } = record
  if (await reaches(asking, [READ[type]], record)) return true
  const studentIds = await ownStudentIds(whole, caller, 'learning')
  return type === 'session'
    ? isAnyOnRoster(whole, id, studentIds)
    : isAnyInPublished(whole, { examId: id, timezone: tenant.timezone }, studentIds)
}
