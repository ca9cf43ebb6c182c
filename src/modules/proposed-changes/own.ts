import type { Caller, TenantInfo } from '#kernel/who/actor.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { found, invalid, NotFound } from '#kernel/values/errors.ts'
import { withStoredIdentity } from '#kernel/values/identity-number.ts'
import { withStoredPhone } from '#kernel/values/phone.ts'
import { ok } from '#kernel/values/schema.ts'
import { localDate } from '#kernel/time/zone.ts'
import { checkBirthDate, fullName, ownChildIds, ownStudentId } from '#modules/people/index.ts'
import { changeRecord, createRecord, lockRow, type Row } from '#runtime/records/records.ts'
import { detailsOf, differing, FIELDS, fieldsOf, pick, type Field, type PersonDetails } from './fields.ts'
import { noticeProposed } from './notices.ts'
import { NotOpen, proposalRecord } from './record.ts'
import type { NewProposal, OwnDetails, OwnProposal } from './schemas.ts'

/** From this age on somebody speaks for themself. */
const ADULT_YEARS = 18

interface OwnRecord {
  studentId: string | null
  guardianId: string | null
  fullName: string
  isOwn: boolean
  details: PersonDetails
  /** What the caller may propose to change. */
  fields: Field[]
}

interface Asked {
  whole: ScopedDb
  caller: Caller
  tenant: TenantInfo
  now: string
}

/** Whoever stands behind a record signs in by an address of their own, which no proposal changes. */
const fieldsFor = (row: { user_id: string | null }, fields: readonly Field[]): Field[] =>
  fields.filter((field) => field !== 'email' || row.user_id === null)

const isAdult = (birthDate: string, today: string): boolean =>
  `${Number(birthDate.slice(0, 4)) + ADULT_YEARS}${birthDate.slice(4)}` <= today

/** A student proposes what concerns them once they are of age, or where nobody else speaks for them. */
const speaksForThemself = async (
  whole: ScopedDb,
  { id, birth_date: birthDate }: { id: string; birth_date: string | null },
  today: string,
): Promise<boolean> => {
  if (birthDate !== null && isAdult(birthDate, today)) return true
  const link = await whole.selectFrom('guardian_link').select('id').where('student_id', '=', id).executeTakeFirst()
  return link === undefined
}

/** The records of the caller, and of the children of whom they see more than the money. */
const ownRecords = async ({ whole, caller, tenant, now }: Asked): Promise<OwnRecord[]> => {
  const { actor } = caller
  if (actor.type !== 'user') return []
  const today = localDate(now, tenant.timezone)
  const guardian = await whole.selectFrom('guardian').selectAll().where('user_id', '=', actor.userId).executeTakeFirst()
  const self = await ownStudentId(whole, caller)
  const ids = [...new Set([...(self === null ? [] : [self]), ...(await ownChildIds(whole, caller, 'learning'))])]
  const students =
    ids.length === 0
      ? []
      : await whole
          .selectFrom('student')
          .selectAll()
          .where('id', 'in', ids)
          .orderBy('first_name')
          .orderBy('last_name')
          .orderBy('id')
          .execute()
  const records: OwnRecord[] = guardian
    ? [
        {
          studentId: null,
          guardianId: guardian.id,
          fullName: fullName(guardian),
          isOwn: true,
          details: detailsOf(guardian),
          fields: fieldsFor(
            guardian,
            FIELDS.filter((field) => field !== 'birthDate'),
          ),
        },
      ]
    : []
  for (const row of students.toSorted((one, other) => Number(other.id === self) - Number(one.id === self))) {
    const isOwn = row.id === self
    // oxlint-disable-next-line no-await-in-loop -- it is asked of the caller alone, at most once
    const mayPropose = !isOwn || (await speaksForThemself(whole, row, today))
    records.push({
      studentId: row.id,
      guardianId: null,
      fullName: fullName(row),
      isOwn,
      details: detailsOf(row),
      fields: mayPropose ? fieldsFor(row, FIELDS) : [],
    })
  }
  return records
}

const toOwnProposal = (row: Row<'proposed_change'>, details: PersonDetails): OwnProposal => ({
  id: row.id,
  status: row.status,
  fields: fieldsOf(row.proposed),
  proposed: { ...details, ...(row.proposed as Partial<PersonDetails>) },
  note: row.note,
  acceptedFields: row.accepted_fields,
  remark: row.remark,
  createdAt: row.created_at,
  decidedAt: row.decided_at,
})

type About = Pick<OwnRecord, 'studentId' | 'guardianId'>

const proposalsOf = (whole: ScopedDb, userId: string, { studentId, guardianId }: About) => {
  const all = whole.selectFrom('proposed_change').selectAll().where('by_user_id', '=', userId)
  return studentId === null ? all.where('guardian_id', '=', guardianId) : all.where('student_id', '=', studentId)
}

const latestOf = (whole: ScopedDb, userId: string, about: About) =>
  proposalsOf(whole, userId, about)
    .where('status', '!=', 'withdrawn')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export const readOwnDetails = async (asked: Asked): Promise<OwnDetails> => {
  const { whole, caller } = asked
  const records: OwnDetails['records'] = []
  for (const record of await ownRecords(asked)) {
    const { userId } = caller.actor as { userId: string }
    // oxlint-disable-next-line no-await-in-loop -- somebody has few records
    const latest = await latestOf(whole, userId, record)
    records.push({ ...record, proposal: latest ? toOwnProposal(latest, record.details) : null })
  }
  return { records }
}

/** The record that a proposal of the caller is about. @throws NotFound, VALIDATION_ERROR */
const subjectOf = async (
  tx: Tx,
  caller: Caller,
  { studentId, guardianId }: Pick<NewProposal, 'studentId' | 'guardianId'>,
): Promise<OwnRecord> => {
  if ((studentId === undefined) === (guardianId === undefined)) {
    throw invalid(['studentId'], 'Exactly one of studentId and guardianId is required.')
  }
  const { whole, tenant, now } = tx
  const all = await ownRecords({ whole, caller, tenant, now })
  return found(
    all.find((one) => (studentId === undefined ? one.guardianId === guardianId : one.studentId === studentId)),
  )
}

/** The changes in the form in which they are kept. @throws VALIDATION_ERROR */
const checked = (tx: Tx, subject: OwnRecord, changes: NewProposal['changes']) => {
  const other = fieldsOf(changes).find((field) => !subject.fields.includes(field))
  if (other) throw invalid(['changes', other], 'Is not changed by a proposal of this caller.')
  const { guardianId, details } = subject
  // A second parent has none, whose phone is that of another guardian.
  if (guardianId !== null && changes.phone === null && details.phone !== null) {
    throw invalid(['changes', 'phone'], 'Must not be empty.')
  }
  checkBirthDate(tx, changes)
  const proposed = withStoredIdentity(tx, withStoredPhone(tx, changes))
  const fields = differing(proposed, details)
  if (fields.length === 0) throw invalid(['changes'], 'Must differ from what is kept.')
  return { proposed: pick(proposed, fields), was: pick(details, fields) }
}

/**
 * Proposes to change a record of the caller’s, in place of what they proposed of it before and was not decided.
 * @throws NotFound for a record that is not theirs, VALIDATION_ERROR
 */
export const proposeChange = async (given: Tx, caller: Caller, body: NewProposal): Promise<OwnProposal> => {
  const tx = given.within('all')
  const subject = await subjectOf(tx, caller, body)
  const { actor } = caller
  if (actor.type !== 'user') throw NotFound()
  const { studentId, guardianId, details } = subject
  const content = { ...checked(tx, subject, body.changes), note: body.note ?? null }
  const open = await proposalsOf(tx.whole, actor.userId, subject).where('status', '=', 'open').executeTakeFirst()
  const row = open && (await lockRow(tx, proposalRecord, open.id))
  if (row?.status === 'open') {
    await changeRecord(tx, proposalRecord, row, content)
    return toOwnProposal((await proposalRecord.byId(tx.whole, { id: row.id }))[0] as typeof row, details)
  }
  const { id } = await createRecord(tx, proposalRecord, {
    studentId,
    guardianId,
    byUserId: actor.userId,
    ...content,
    status: 'open',
    acceptedFields: [],
  })
  noticeProposed(tx, id)
  return toOwnProposal(found((await proposalRecord.byId(tx.whole, { id }))[0]), details)
}

/** Takes back what the caller proposed. @throws NotFound, NotOpen */
export const withdrawProposal = async (given: Tx, caller: Caller, id: string): Promise<typeof ok> => {
  const tx = given.within('all')
  const row = await lockRow(tx, proposalRecord, id)
  const { actor } = caller
  if (actor.type !== 'user' || row.by_user_id !== actor.userId) throw NotFound()
  if (row.status !== 'open') throw NotOpen()
  await changeRecord(tx, proposalRecord, row, { status: 'withdrawn' })
  return ok
}
