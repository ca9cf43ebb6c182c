import { unlinked } from '#shared/text.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { fullName } from '#modules/people/index.ts'
import { EDITING, fieldsOf, type Field, type ProposalNotice } from '#modules/proposed-changes/index.ts'
import { findHolders, findUsers } from '../recipients/accounts.ts'
import type { NotifierResult, Occasion, Writing } from './occasion.ts'

/** It waits where people work: neither mails nor text messages are sent of it. */
const OFFICE_CHANNELS = ['in_app', 'push'] as const

const readProposal = async ({ whole }: Pick<Tx, 'whole'>, id: string) => {
  const proposal = await whole.selectFrom('proposed_change').selectAll().where('id', '=', id).executeTakeFirst()
  if (!proposal) return undefined
  const { student_id: studentId, guardian_id: guardianId } = proposal
  const names = ['first_name', 'last_name'] as const
  const person =
    studentId === null
      ? await whole
          .selectFrom('guardian')
          .select(names)
          .where('id', '=', guardianId as string)
          .executeTakeFirst()
      : await whole.selectFrom('student').select(names).where('id', '=', studentId).executeTakeFirst()
  return person && { ...proposal, personName: fullName(person) }
}

/** The branches whose staff may change the record; a guardian belongs to those of their children. */
const branchesOf = async (
  { whole }: Pick<Tx, 'whole'>,
  { student_id: studentId, guardian_id: guardianId }: { student_id: string | null; guardian_id: string | null },
): Promise<string[]> => {
  const students =
    studentId === null
      ? whole
          .selectFrom('guardian_link')
          .innerJoin('student', 'student.id', 'guardian_link.student_id')
          .select('student.branch_id')
          .where('guardian_link.guardian_id', '=', guardianId as string)
          .distinct()
      : whole.selectFrom('student').select('student.branch_id').where('student.id', '=', studentId)
  return (await students.execute()).map(({ branch_id: branchId }) => branchId)
}

/** Whose record it is about. */
const recordOf = ({
  student_id: studentId,
  guardian_id: guardianId,
}: Record<'student_id' | 'guardian_id', string | null>): Record<string, string> =>
  studentId === null ? { guardianId: guardianId as string } : { studentId }

const fieldsIn = (fields: readonly Field[], { f, words }: Writing): string =>
  fields.map((field) => words.fields[field]).join(f.comma)

/** What a family proposes to change, for those who may change it. @returns nothing when it is open no longer */
export const proposedChange = async (
  tx: Pick<Tx, 'whole'>,
  { noticeId, proposalId }: ProposalNotice,
): Promise<NotifierResult> => {
  const proposal = await readProposal(tx, proposalId)
  if (proposal?.status !== 'open') return { occasions: [], next: null }
  const [by] = await findUsers(tx.whole, [proposal.by_user_id])
  const branches = await branchesOf(tx, proposal)
  const permission = proposal.student_id === null ? EDITING.guardian : EDITING.student
  const holders = new Map<string, Awaited<ReturnType<typeof findHolders>>[number]>()
  for (const branchId of branches.length === 0 ? [null] : branches) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction does one thing at a time
    for (const one of await findHolders(tx.whole, permission, branchId)) holders.set(one.id, one)
  }
  const occasion: Occasion = {
    sourceId: noticeId,
    templateKey: 'details.proposed',
    branchId: branches[0] ?? null,
    payload: { ...recordOf(proposal), byUserId: proposal.by_user_id },
    recipients: [...holders.values()].filter(({ userId }) => userId !== proposal.by_user_id),
    channels: OFFICE_CHANNELS,
    values: (writing) => ({
      byName: unlinked(by?.name ?? '—'),
      personName: unlinked(proposal.personName),
      fields: fieldsIn(fieldsOf(proposal.proposed), writing),
    }),
  }
  return { occasions: [occasion], next: null }
}

/** Whether somebody still sees the record of which they proposed something. */
const stillSees = async (
  { whole }: Pick<Tx, 'whole'>,
  {
    student_id: studentId,
    guardian_id: guardianId,
    by_user_id: userId,
  }: Record<'by_user_id', string> & Record<'student_id' | 'guardian_id', string | null>,
): Promise<boolean> => {
  if (studentId === null) {
    const own = await whole.selectFrom('guardian').select('user_id').where('id', '=', guardianId).executeTakeFirst()
    return own?.user_id === userId
  }
  const self = await whole.selectFrom('student').select('user_id').where('id', '=', studentId).executeTakeFirst()
  if (self?.user_id === userId) return true
  const link = await whole
    .selectFrom('guardian_link')
    .innerJoin('guardian', 'guardian.id', 'guardian_link.guardian_id')
    .select('guardian_link.id')
    .where('guardian_link.student_id', '=', studentId)
    .where('guardian_link.sees_learning', '=', true)
    .where('guardian.user_id', '=', userId)
    .executeTakeFirst()
  return link !== undefined
}

/** What became of a proposal, for whoever made it. @returns undefined when it is gone, or they do not see the record now */
export const decidedProposal = async (
  tx: Pick<Tx, 'whole'>,
  { noticeId, proposalId }: ProposalNotice,
): Promise<Occasion | undefined> => {
  const proposal = await readProposal(tx, proposalId)
  if (!proposal || !(await stillSees(tx, proposal))) return undefined
  const { accepted_fields: accepted, remark } = proposal
  const left = fieldsOf(proposal.proposed).filter((field) => !accepted.includes(field))
  return {
    sourceId: noticeId,
    templateKey: proposal.status === 'accepted' ? 'details.accepted' : 'details.declined',
    branchId: null,
    payload: recordOf(proposal),
    recipients: await findUsers(tx.whole, [proposal.by_user_id]),
    values: (writing) => ({
      personName: unlinked(proposal.personName),
      fields: fieldsIn(proposal.status === 'accepted' ? accepted : left, writing),
      ...(proposal.status === 'accepted' && {
        left: left.length === 0 ? '' : `${writing.words.proposal.left} ${fieldsIn(left, writing)}`,
      }),
      remark: remark === null ? '' : `${writing.words.proposal.remark} ${unlinked(remark)}`,
    }),
  }
}
