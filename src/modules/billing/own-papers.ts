import type { ScopedDb } from '#kernel/contract/tables.ts'
import { isOwnStudent, ownChildren, ownStudentId, type Self } from '#modules/people/index.ts'

/** The money of which students the caller sees, for themself and as a guardian. */
export interface OwnMoneySight {
  studentIds: ReadonlySet<string>
  /** The caller's record as a guardian; null: they are none. */
  guardianId: string | null
}

export const moneySightOf = async (whole: ScopedDb, caller: Self): Promise<OwnMoneySight> => {
  const self = await ownStudentId(whole, caller)
  const children = await ownChildren(whole, caller)
  const seen = children.filter(({ seesMoney }) => seesMoney).map(({ studentId }) => studentId)
  return {
    studentIds: new Set([...(self === null ? [] : [self]), ...seen]),
    guardianId: children[0]?.guardianId ?? null,
  }
}

interface MadeOut {
  /** null: to the student. */
  payerGuardianId: string | null
  studentIds: readonly string[]
}

/**
 * Whether somebody may have a paper: it is made out to them, or to nobody but the student. A paper names whom it is made
 * out to with address and identity card, which is nothing for another parent.
 */
export const mayHavePaper = (
  { studentIds: seen, guardianId }: OwnMoneySight,
  { payerGuardianId, studentIds }: MadeOut,
): boolean => (payerGuardianId === null || payerGuardianId === guardianId) && studentIds.every((id) => seen.has(id))

/** Whether the caller may have the paper of an invoice that was issued, as a family. */
export const ownsInvoicePaper = async (whole: ScopedDb, caller: Self, id: string): Promise<boolean> => {
  const invoice = await whole
    .selectFrom('invoice')
    .select(['student_id', 'payer_guardian_id'])
    .where('id', '=', id)
    .where('status', '!=', 'draft')
    .executeTakeFirst()
  if (!invoice) return false
  const { student_id: studentId, payer_guardian_id: payerGuardianId } = invoice
  return mayHavePaper(await moneySightOf(whole, caller), { payerGuardianId, studentIds: [studentId] })
}

/** Whether the caller may have the paper of a receipt, as a family. */
export const ownsReceiptPaper = async (whole: ScopedDb, caller: Self, id: string): Promise<boolean> => {
  const receipt = await whole
    .selectFrom('receipt')
    .select(['students', 'payer_guardian_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!receipt) return false
  const { students, payer_guardian_id: payerGuardianId } = receipt
  const studentIds = students.map((student) => student.id)
  return mayHavePaper(await moneySightOf(whole, caller), { payerGuardianId, studentIds })
}

/** Whether the caller sees what is to be paid for a student, as the student or as a guardian. */
export const seesMoneyOf = (whole: ScopedDb, caller: Self, studentId: string): Promise<boolean> =>
  isOwnStudent(whole, caller, { studentId, sight: 'money' })
