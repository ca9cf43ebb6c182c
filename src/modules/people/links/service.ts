import { compiledByIds, compiledInTenant } from '#db/queries/compiled.ts'
import { forNoKeyUpdate } from '#db/dialect.ts'
import type { Caller } from '#kernel/who/actor.ts'
import { failure, found } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import { ok } from '#kernel/values/schema.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { changeRecord, createRecords, recordOf, lockRow, lockRows, type Row } from '#runtime/records/records.ts'
import { refuseOwnGuardian } from '../account.ts'
import { guardianRecord } from '../guardians/service.ts'
import { studentRecord } from '../students/row.ts'
import { GuardianLink, type GuardianLinkChanges, type LinkedGuardian, type NewGuardianLink } from './schemas.ts'
import { listUnder, newestFirst } from '#runtime/records/lists.ts'

// Every change of a student's links locks the student's row, so that two new primary contacts are set one after the
// other. A change that may make or end a guardian's last link then also locks the guardian's row.

export const AlreadyLinked = failure('CONFLICT', 'already_linked', 'This guardian is already linked to the student.')

export const PayerSeesMoney = failure(
  'CONFLICT',
  'payer_sees_money',
  'The payer of record sees what is to be paid: make somebody else the payer first.',
)

type LinkRow = Row<'guardian_link'>

const toLink = shows(GuardianLink)

const linkRecord = recordOf('guardian_link', {
  show: toLink,
  // clearMarks has cleared the marks of all other guardians, so a mark that is still taken is on this guardian's own
  // link.
  refusals: {
    unique: {
      'guardian_link(student_id,guardian_id)': AlreadyLinked,
      'guardian_link(student_id,is_primary)': AlreadyLinked,
      'guardian_link(student_id,is_payer)': AlreadyLinked,
    },
  },
  withoutUpdatedAt: true,
})

const toLinkedGuardian = (
  row: Omit<LinkRow, 'tenant_id'> & Pick<Row<'guardian'>, 'first_name' | 'last_name' | 'phone'>,
): LinkedGuardian => ({
  ...toLink(row),
  guardian: { firstName: row.first_name, lastName: row.last_name, phone: row.phone },
})

/**
 * Lists a student's guardians, newest first. A caller who reaches the student reaches all of them. @throws NotFound for
 * the student
 */
export const listGuardiansOf = listUnder(
  { table: 'student', column: 'guardian_link.student_id', whole: true },
  {
    from: (db) =>
      db
        .selectFrom('guardian_link')
        .innerJoin('guardian', 'guardian.id', 'guardian_link.guardian_id')
        .select([
          'guardian_link.id',
          'guardian_link.student_id',
          'guardian_link.guardian_id',
          'guardian_link.relationship',
          'guardian_link.is_primary',
          'guardian_link.is_payer',
          'guardian_link.sees_learning',
          'guardian_link.sees_money',
          'guardian_link.created_at',
          'guardian.first_name',
          'guardian.last_name',
          'guardian.phone',
        ]),
    order: newestFirst('guardian_link'),
    show: toLinkedGuardian,
  },
)

interface Marks {
  isPrimary?: boolean | undefined
  isPayer?: boolean | undefined
}

/** Audit entries of links are filed under their student, and name the guardian. */
const under = (studentId: string) => ({ entityId: studentId })

/** Widens the reach: a caller who reaches a student reaches all of the student's links. */
const ofWhole = (tx: Tx): Tx => ({ ...tx, db: tx.whole })

/** Whoever becomes the payer sees the money from then on. @throws PayerSeesMoney */
const withSight = <Body extends Marks & { seesMoney?: boolean | undefined }>(body: Body, isPayer: boolean): Body => {
  if (!isPayer) return body
  if (body.seesMoney === false) throw PayerSeesMoney()
  return { ...body, seesMoney: true }
}

const linksOf = compiledInTenant((whole, { studentId }: { studentId: string }) =>
  whole
    .selectFrom('guardian_link')
    .select(['id', 'guardian_id', 'is_primary', 'is_payer'])
    .where('student_id', '=', studentId)
    .orderBy('id'),
)

/** Clears the marks that a link is about to get on the student's other links. */
const clearMarks = async (
  tx: Tx,
  studentId: string,
  { isPrimary, isPayer }: Marks,
  guardianId: string,
): Promise<void> => {
  if (!isPrimary && !isPayer) return
  for (const { id, guardian_id, is_primary, is_payer } of await linksOf(tx.whole, { studentId })) {
    if (guardian_id === guardianId || !((isPrimary && is_primary) || (isPayer && is_payer))) continue
    const link = await lockRow(ofWhole(tx), linkRecord, id)
    const kept = { isPrimary: link.is_primary && !isPrimary, isPayer: link.is_payer && !isPayer }
    await changeRecord(ofWhole(tx), linkRecord, link, kept, under(studentId))
  }
}

const clearUnlinkedBranches = compiledByIds((whole, ids) =>
  whole.updateTable('guardian').set({ unlinked_branch_id: null }).where('id', 'in', ids),
)

export interface LinkToAdd {
  studentId: string
  body: NewGuardianLink
  /** The student is known to have no guardian yet. */
  isFirst?: boolean
}

const fieldsOf = ({ studentId, body }: LinkToAdd) => {
  const { seesLearning = true, seesMoney = true, ...marks } = withSight(body, body.isPayer)
  return { ...marks, seesLearning, seesMoney, studentId }
}

/**
 * Links guardians to students; marks that are set move from the guardian who had them.
 * @param caller who links them; absent: a family that registers, whose student is new
 * @param inPart does the work of one link, and may say of a refusal which it is
 * @throws NotFound for either of them, AlreadyLinked, OwnAccountLink, PayerSeesMoney
 */
export const linkGuardians = async (
  tx: Tx,
  links: readonly LinkToAdd[],
  {
    caller,
    inPart = (_, work) => work(),
  }: { caller?: Caller | undefined; inPart?: <T>(at: number, work: () => Promise<T>) => Promise<T> } = {},
): Promise<void> => {
  const studentOf = await lockRows(
    tx,
    studentRecord,
    links.map(({ studentId }) => studentId),
  )
  const guardianOf = await lockRows(
    tx,
    guardianRecord,
    links.map(({ body }) => body.guardianId),
  )
  let made: { fields: ReturnType<typeof fieldsOf>; note: ReturnType<typeof under> }[] = []
  const add = async (): Promise<void> => {
    if (made.length > 0) await createRecords(tx, linkRecord, made)
    made = []
  }
  for (const [at, link] of links.entries()) {
    const { studentId, body, isFirst = false } = link
    await inPart(at, async () => {
      studentOf(studentId)
      const guardian = guardianOf(body.guardianId)
      if (caller) refuseOwnGuardian(tx, caller, guardian)
      if (!isFirst && (body.isPrimary || body.isPayer)) {
        // Those before may be of the same student.
        await add()
        await clearMarks(tx, studentId, body, body.guardianId)
      }
      made.push({ fields: fieldsOf(link), note: under(studentId) })
      if (at === links.length - 1) await add()
    })
  }
  const unlinked = links.filter(({ body }) => guardianOf(body.guardianId).unlinked_branch_id !== null)
  await clearUnlinkedBranches(
    tx.whole,
    unlinked.map(({ body }) => body.guardianId),
  )
}

/** @throws NotFound when there is no such link */
const findLink = async ({ whole }: Tx, studentId: string, guardianId: string): Promise<LinkRow> =>
  found(
    await whole
      .selectFrom('guardian_link')
      .selectAll()
      .where('student_id', '=', studentId)
      .where('guardian_id', '=', guardianId)
      .executeTakeFirst(),
  )

/** How a guardian stands to a student. @throws NotFound when they are not linked */
export const readLink = async (tx: Tx, studentId: string, guardianId: string): Promise<GuardianLink> =>
  toLink(await findLink(tx, studentId, guardianId))

/** @throws NotFound, PayerSeesMoney */
export const changeLink = async (
  tx: Tx,
  { studentId, guardianId }: { studentId: string; guardianId: string },
  body: GuardianLinkChanges,
): Promise<GuardianLink> => {
  await lockRow(tx, studentRecord, studentId)
  const { id } = await findLink(tx, studentId, guardianId)
  const link = await lockRow(ofWhole(tx), linkRecord, id)
  const changes = withSight(body, body.isPayer ?? link.is_payer)
  await clearMarks(tx, studentId, body, guardianId)
  return changeRecord(ofWhole(tx), linkRecord, link, changes, under(studentId))
}

interface LeftStudent {
  id: string
  branch_id: string
}

/** Ends links of a locked student. A guardian without any link left gets this student's branch. */
const endLinks = async (tx: Tx, student: LeftStudent, ended: readonly LinkRow[]): Promise<void> => {
  if (ended.length === 0) return
  const { whole } = tx
  const guardianIds = ended.map((link) => link.guardian_id)
  await forNoKeyUpdate(
    whole,
    whole.selectFrom('guardian').select('id').where('id', 'in', guardianIds).orderBy('id'),
  ).execute()
  await whole
    .deleteFrom('guardian_link')
    .where(
      'id',
      'in',
      ended.map((link) => link.id),
    )
    .execute()
  await whole
    .updateTable('guardian')
    .set({ unlinked_branch_id: student.branch_id })
    .where('id', 'in', guardianIds)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('guardian_link')
            .select('guardian_link.id')
            .whereRef('guardian_link.guardian_id', '=', 'guardian.id'),
        ),
      ),
    )
    .execute()
  for (const link of ended) tx.audit({ entityType: 'guardian_link', ...under(student.id), before: toLink(link) })
}

/** @throws NotFound */
export const unlinkGuardian = async (tx: Tx, studentId: string, guardianId: string) => {
  const student = await lockRow(tx, studentRecord, studentId)
  await endLinks(tx, student, [await findLink(tx, studentId, guardianId)])
  return ok
}

/** Ends all links of a locked student, before the student is deleted. */
export const unlinkAllGuardians = async (tx: Tx, student: LeftStudent): Promise<void> => {
  const all = await tx.whole.selectFrom('guardian_link').selectAll().where('student_id', '=', student.id).execute()
  await endLinks(tx, student, all)
}
