import { expressionBuilder } from 'kysely'
import type { Caller } from '#kernel/who/actor.ts'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'
import type { Page } from '#kernel/values/schema.ts'
import { readGroups } from '#modules/families/index.ts'
import { fullName } from '#modules/people/index.ts'
import { foldQuery } from '#shared/text.ts'
import { cursorsOfOrder } from '#runtime/records/cursors.ts'
import { listOf, newestFirst, type Conditions, type ListContext } from '#runtime/records/lists.ts'
import { balancesOf, branchesOf, readChildren, readContacts, readDebts, readInvitations } from './details.ts'
import type { DirectoryGuardian, DirectoryGuardianQuery, DirectoryStudent, DirectoryStudentQuery } from './schemas.ts'

export const byName = <T extends 'student' | 'guardian'>(table: T) => ({
  columns: [`${table}.sort_name`, `${table}.id`] as const,
  direction: 'asc' as const,
  position: (row: { sort_name: string; id: string }) => [row.sort_name, row.id],
})

export const students = {
  search: { table: 'student', fold: foldQuery },
  filters: {
    status: 'student.status',
    branchId: 'student.branch_id',
    groupId: (eb: Conditions, groupId: string) =>
      eb(
        'student.id',
        'in',
        expressionBuilder<Tables>()
          .selectFrom('enrollment')
          .select('enrollment.student_id')
          .where('enrollment.group_id', '=', groupId)
          .where('enrollment.status', '=', 'active'),
      ),
    tag: (eb: Conditions, tag: string) =>
      eb(
        'student.id',
        'in',
        expressionBuilder<Tables>().selectFrom('student_tag').select('student_id').where('student_tag.tag', '=', tag),
      ),
  },
  from: (db: ScopedDb) =>
    db
      .selectFrom('student')
      .select(['student.id', 'student.branch_id', 'student.student_number', 'student.first_name', 'student.last_name'])
      .select(['student.status', 'student.phone', 'student.sort_name', 'student.created_at'])
      .where('student.erased_at', 'is', null),
  show: (row: StudentRow) => ({
    id: row.id,
    branchId: row.branch_id,
    studentNumber: row.student_number,
    firstName: row.first_name,
    lastName: row.last_name,
    fullName: fullName(row),
    status: row.status,
    phone: row.phone,
  }),
} as const

export interface StudentRow {
  id: string
  branch_id: string
  student_number: string
  first_name: string
  last_name: string
  status: DirectoryStudent['status']
  phone: string | null
}

const studentsByName = listOf({ ...students, order: byName('student') })
const newestStudents = listOf({ ...students, order: newestFirst('student') })

interface Asked extends ListContext<ScopedDb> {
  whole: ScopedDb
  caller: Caller
}

/** Students with what an office looks up beside their names. @throws SumTooLarge */
export const listStudents = async ({
  query: { sort, ...query },
  ...context
}: Asked & { query: DirectoryStudentQuery }): Promise<Page<DirectoryStudent>> => {
  const { db, whole, caller } = context
  const list = sort === 'name' ? studentsByName : newestStudents
  const { data, nextCursor } = await list({ ...context, cursors: cursorsOfOrder(context.cursors, sort), query })
  if (data.length === 0) return { data: [], nextCursor }
  const ids = data.map(({ id }) => id)
  const groups = await readGroups(db, ids)
  const seesGuardians = branchesOf(caller, 'guardians.read')
  const contacts = seesGuardians ? await readContacts(whole, ids) : undefined
  const seesInvoices = branchesOf(caller, 'invoices.read')
  const debts = seesInvoices && (await readDebts(whole, 'student_id', { ids, seesBranch: seesInvoices }))
  return {
    data: data.map((student) => ({
      ...student,
      groups: groups.get(student.id) ?? [],
      contact: seesGuardians?.(student.branchId) ? (contacts?.get(student.id) ?? null) : null,
      balances: debts && seesInvoices?.(student.branchId) ? balancesOf(debts, student.id) : null,
    })),
    nextCursor,
  }
}

interface GuardianRow {
  id: string
  first_name: string
  last_name: string
  phone: string | null
  email: string | null
  user_id: string | null
}

const guardians = {
  filters: {
    guardianId: 'guardian.id',
    studentId: (eb: Conditions, studentId: string) =>
      eb(
        'guardian.id',
        'in',
        expressionBuilder<Tables>()
          .selectFrom('guardian_link')
          .select('guardian_link.guardian_id')
          .where('guardian_link.student_id', '=', studentId),
      ),
    groupId: (eb: Conditions, groupId: string) =>
      eb(
        'guardian.id',
        'in',
        expressionBuilder<Tables>()
          .selectFrom('enrollment')
          .innerJoin('guardian_link', (join) =>
            join
              .onRef('guardian_link.tenant_id', '=', 'enrollment.tenant_id')
              .onRef('guardian_link.student_id', '=', 'enrollment.student_id'),
          )
          .select('guardian_link.guardian_id')
          .where('enrollment.group_id', '=', groupId)
          .where('enrollment.status', '=', 'active'),
      ),
  },
  search: { table: 'guardian', fold: foldQuery },
  from: (db: ScopedDb) =>
    db
      .selectFrom('guardian')
      .select(['guardian.id', 'guardian.first_name', 'guardian.last_name', 'guardian.phone', 'guardian.email'])
      .select(['guardian.sort_name', 'guardian.created_at', 'guardian.user_id'])
      .where('guardian.erased_at', 'is', null),
  show: (row: GuardianRow) => ({
    id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    fullName: fullName(row),
    phone: row.phone,
    email: row.email,
    userId: row.user_id,
  }),
} as const

const guardiansByName = listOf({ ...guardians, order: byName('guardian') })
const newestGuardians = listOf({ ...guardians, order: newestFirst('guardian') })

/** Guardians with their children and what they owe. @throws SumTooLarge */
export const listGuardians = async ({
  query: { sort, ...query },
  ...context
}: Asked & { query: DirectoryGuardianQuery }): Promise<Page<DirectoryGuardian>> => {
  const { db, whole, caller } = context
  const list = sort === 'name' ? guardiansByName : newestGuardians
  const { data, nextCursor } = await list({ ...context, cursors: cursorsOfOrder(context.cursors, sort), query })
  if (data.length === 0) return { data: [], nextCursor }
  const ids = data.map(({ id }) => id)
  const children = await readChildren(db, ids)
  const invitations = await readInvitations(whole, ids)
  const seesMembers = caller.grants.reach('members.read') === 'all'
  const seesInvoices = branchesOf(caller, 'invoices.read')
  const debts = seesInvoices && (await readDebts(whole, 'payer_guardian_id', { ids, seesBranch: seesInvoices }))
  return {
    data: data.map(({ userId, ...guardian }) => {
      const invited = invitations.get(guardian.id) ?? null
      return {
        ...guardian,
        children: [...(children.get(guardian.id) ?? [])],
        balances: debts ? balancesOf(debts, guardian.id) : null,
        account: userId !== null ? 'active' : invited === null ? 'none' : 'invited',
        membershipId: userId === null && seesMembers ? invited : null,
      }
    }),
    nextCursor,
  }
}
