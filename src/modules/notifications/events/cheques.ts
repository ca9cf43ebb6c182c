import { unlinked } from '#shared/text.ts'
import { findGuardians, findStudents } from '../recipients/records.ts'
import type { Notifier, Occasion } from './occasion.ts'
import { chequesById } from './records.ts'

/** A cheque that the bank did not pay, for whoever brought it. */
export const notifyBounced: Notifier<'cheque.bounced'> = async ({ whole }, events) => {
  const cheques = await chequesById(
    whole,
    events.map(({ data }) => data.chequeId),
  )
  const rows = [...cheques.values()]
  const guardians = await findGuardians(whole, [...new Set(rows.flatMap((row) => row.guardian_id ?? []))])
  const students = await findStudents(whole, [...new Set(rows.flatMap((row) => row.student_id ?? []))])
  const people = new Map([...guardians, ...students].map((person) => [person.id, person]))
  const occasions = events.flatMap(({ id, data }): Occasion[] => {
    const cheque = cheques.get(data.chequeId)
    const payer = cheque && people.get(cheque.guardian_id ?? cheque.student_id ?? '')
    if (!cheque || !payer) return []
    return [
      {
        sourceId: id,
        templateKey: 'cheque.bounced',
        branchId: cheque.branch_id,
        payload: { chequeId: data.chequeId },
        recipients: [payer],
        values: ({ f }) => ({
          chequeNumber: unlinked(data.number),
          amount: f.amount(data.amountMinor, data.currency),
          dueDate: f.date(data.dueOn),
          reason: unlinked(data.reason),
        }),
      },
    ]
  })
  return { occasions, next: null }
}
