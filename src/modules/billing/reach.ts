import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { id, list } from '#kernel/values/schema.ts'
import {
  unreachedFields,
  unreachedWords,
  type Addressee,
  type FindUnreached,
  type SentText,
} from '#runtime/queue/reached.ts'

export const Unreached = named('Unreached', v.object({ invoiceId: id, ...unreachedFields }), {
  ...unreachedWords,
  invoiceId: 'The invoice that the message was about.',
})
export type Unreached = v.InferOutput<typeof Unreached>

export const unreachedList = list(Unreached)

type Owed = { id: string; student_id: string; payer_guardian_id: string | null }

/** Who gets the messages about an issued invoice: the guardian who pays it, else the student. */
export const addresseeOf = ({ student_id: studentId, payer_guardian_id: payerId }: Omit<Owed, 'id'>): Addressee =>
  payerId === null ? { kind: 'student', id: studentId } : { kind: 'guardian', id: payerId }

/** Of these invoices those whose payer the message does not reach, in the order of the ids. */
export const unreachedOf = async (
  findUnreached: FindUnreached,
  place: Parameters<FindUnreached>[0],
  { text, ids }: { text: SentText; ids: readonly string[] },
): Promise<Unreached[]> => {
  if (ids.length === 0) return []
  const invoices = place.whole.selectFrom('invoice').select(['id', 'student_id', 'payer_guardian_id'])
  const rows = await invoices.where('id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, addresseeOf(row)]))
  const people = new Map([...byId.values()].map((to) => [to.id, to]))
  const unreached = await findUnreached(place, text, [...people.values()])
  return ids.flatMap((invoiceId) => {
    const to = byId.get(invoiceId)
    const found = to && unreached.get(to.id)
    if (!to || !found) return []
    const { name, because, canCall } = found
    return { invoiceId, recipient: { ...to, name }, because, canCall }
  })
}
