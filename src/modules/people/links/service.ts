import type { Selectable } from 'kysely'
import { lockedForChange, refusing } from '#db/dialect.ts'
import type { Cursors } from '#kernel/endpoint.ts'
import { failure, NotFound } from '#kernel/errors.ts'
import type { Page } from '#kernel/schema.ts'
import type { ScopedDb, Tables } from '#kernel/tables.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { newestFirst, pageBy } from '#runtime/pages.ts'
import { lockStudent } from '../students/row.ts'
import type { GuardianLink, GuardianLinkChanges, LinkedGuardian, LinkQuery, NewGuardianLink } from './schemas.ts'

// Every change of a student's links holds the student's row, so that of two new primaries one follows the other. The
// guardian's row is held, after it, by whoever may make or end the guardian's last link.

export const AlreadyLinked = failure('CONFLICT', 'already_linked', 'This guardian is already linked to the student.')

type LinkRow = Omit<Selectable<Tables['guardian_link']>, 'tenant_id'>

const toLink = (row: Pick<LinkRow, 'guardian_id' | 'relationship' | 'is_primary' | 'is_payer'>): GuardianLink => ({
  guardianId: row.guardian_id,
  relationship: row.relationship,
  isPrimary: row.is_primary,
  isPayer: row.is_payer,
})

const toLinkedGuardian = (
  row: LinkRow & Pick<Selectable<Tables['guardian']>, 'first_name' | 'last_name' | 'phone'>,
): LinkedGuardian => ({
  ...toLink(row),
  guardian: { firstName: row.first_name, lastName: row.last_name, phone: row.phone },
})

/** The audit entries of links stand under their student; the guardian is named inside. */
const auditLink = (tx: Tx, studentId: string, { before, after }: { before?: LinkRow; after?: LinkRow }): void =>
  tx.audit({
    entityType: 'guardian_link',
    entityId: studentId,
    ...(before && { before: toLink(before) }),
    ...(after && { after: toLink(after) }),
  })

/** Newest first. @throws NotFound for the student */
export const listGuardiansOf = async (
  { db, whole, cursors }: { db: ScopedDb; whole: ScopedDb; cursors: Cursors },
  studentId: string,
  { cursor, limit }: LinkQuery,
): Promise<Page<LinkedGuardian>> => {
  const student = await db.selectFrom('student').select('id').where('id', '=', studentId).executeTakeFirst()
  if (!student) throw NotFound()
  // Whoever reaches a student reaches all of the student's guardians.
  const links = whole
    .selectFrom('guardian_link')
    .innerJoin('guardian', 'guardian.id', 'guardian_link.guardian_id')
    .select([
      'guardian_link.id',
      'guardian_link.student_id',
      'guardian_link.guardian_id',
      'guardian_link.relationship',
      'guardian_link.is_primary',
      'guardian_link.is_payer',
      'guardian_link.created_at',
      'guardian.first_name',
      'guardian.last_name',
      'guardian.phone',
    ])
    .where('guardian_link.student_id', '=', studentId)
  return pageBy(links, { cursor, limit, cursors }, newestFirst('guardian_link'), toLinkedGuardian)
}

interface Marks {
  isPrimary?: boolean | undefined
  isPayer?: boolean | undefined
}

/** Takes the marks that a link is about to get from the student's other links. */
const takeMarks = async (
  tx: Tx,
  studentId: string,
  { isPrimary, isPayer }: Marks,
  guardianId: string,
): Promise<void> => {
  if (!isPrimary && !isPayer) return
  const holders = await tx.whole
    .selectFrom('guardian_link')
    .selectAll()
    .where('student_id', '=', studentId)
    .where('guardian_id', '!=', guardianId)
    .where((eb) =>
      eb.or([...(isPrimary ? [eb('is_primary', '=', true)] : []), ...(isPayer ? [eb('is_payer', '=', true)] : [])]),
    )
    .execute()
  for (const before of holders) {
    const after = {
      ...before,
      is_primary: before.is_primary && !isPrimary,
      is_payer: before.is_payer && !isPayer,
    }
    await tx.whole
      .updateTable('guardian_link')
      .set({ is_primary: after.is_primary, is_payer: after.is_payer })
      .where('id', '=', before.id)
      .execute()
    auditLink(tx, studentId, { before, after })
  }
}

/**
 * Makes a guardian the student's, and takes the marks that are set from whoever had them.
 * @throws NotFound for either of them, AlreadyLinked
 */
export const linkGuardian = async (tx: Tx, studentId: string, body: NewGuardianLink): Promise<void> => {
  await lockStudent(tx, studentId)
  const { guardianId } = body
  const guardian = await lockedForChange(
    tx.db,
    tx.db.selectFrom('guardian').select(['id', 'unlinked_branch_id']).where('id', '=', guardianId),
  ).executeTakeFirst()
  if (!guardian) throw NotFound()
  await takeMarks(tx, studentId, body, guardianId)
  const row = {
    id: tx.id(),
    student_id: studentId,
    guardian_id: guardianId,
    relationship: body.relationship,
    is_primary: body.isPrimary,
    is_payer: body.isPayer,
    created_at: tx.now,
  }
  await tx.db
    .insertInto('guardian_link')
    .values(row)
    .execute()
    // A mark that is still taken after takeMarks is on the link that this guardian has.
    .catch(
      refusing({
        unique: {
          'guardian_link(student_id,guardian_id)': AlreadyLinked,
          'guardian_link(student_id,is_primary)': AlreadyLinked,
          'guardian_link(student_id,is_payer)': AlreadyLinked,
        },
      }),
    )
  if (guardian.unlinked_branch_id !== null) {
    await tx.whole.updateTable('guardian').set({ unlinked_branch_id: null }).where('id', '=', guardianId).execute()
  }
  auditLink(tx, studentId, { after: row })
}

/** @throws NotFound when there is no such link */
const findLink = async ({ whole }: Tx, studentId: string, guardianId: string): Promise<LinkRow> => {
  const row = await whole
    .selectFrom('guardian_link')
    .selectAll()
    .where('student_id', '=', studentId)
    .where('guardian_id', '=', guardianId)
    .executeTakeFirst()
  if (!row) throw NotFound()
  return row
}

/** @throws NotFound */
export const changeLink = async (
  tx: Tx,
  { studentId, guardianId }: { studentId: string; guardianId: string },
  changes: GuardianLinkChanges,
): Promise<GuardianLink> => {
  await lockStudent(tx, studentId)
  const before = await findLink(tx, studentId, guardianId)
  await takeMarks(tx, studentId, changes, guardianId)
  const after = {
    ...before,
    relationship: changes.relationship ?? before.relationship,
    is_primary: changes.isPrimary ?? before.is_primary,
    is_payer: changes.isPayer ?? before.is_payer,
  }
  await tx.whole
    .updateTable('guardian_link')
    .set({ relationship: after.relationship, is_primary: after.is_primary, is_payer: after.is_payer })
    .where('id', '=', before.id)
    .execute()
  auditLink(tx, studentId, { before, after })
  return toLink(after)
}

interface LeftStudent {
  id: string
  branch_id: string
}

/** Ends links of a locked student. A guardian without any link left is reached from this student's branch. */
const endLinks = async (tx: Tx, student: LeftStudent, links: readonly LinkRow[]): Promise<void> => {
  if (links.length === 0) return
  const { whole } = tx
  const guardianIds = links.map((link) => link.guardian_id)
  await lockedForChange(
    whole,
    whole.selectFrom('guardian').select('id').where('id', 'in', guardianIds).orderBy('id'),
  ).execute()
  await whole
    .deleteFrom('guardian_link')
    .where(
      'id',
      'in',
      links.map((link) => link.id),
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
  for (const before of links) auditLink(tx, student.id, { before })
}

/** @throws NotFound */
export const unlinkGuardian = async (tx: Tx, studentId: string, guardianId: string): Promise<void> => {
  const student = await lockStudent(tx, studentId)
  await endLinks(tx, student, [await findLink(tx, studentId, guardianId)])
}

/** Ends all links of a locked student who is about to be deleted. */
export const leaveGuardians = async (tx: Tx, student: LeftStudent): Promise<void> => {
  const links = await tx.whole.selectFrom('guardian_link').selectAll().where('student_id', '=', student.id).execute()
  await endLinks(tx, student, links)
}
