import * as v from 'valibot'
import { failure } from '#kernel/values/errors.ts'
import { explained, named } from '#kernel/values/named.ts'
import { id, list } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'

/** Why a message reaches somebody over no channel. */
export const UNREACHED_BECAUSE = ['no_address', 'not_set_up', 'opted_out', 'text_off'] as const
export type UnreachedBecause = (typeof UNREACHED_BECAUSE)[number]

/** Whom a message is for. */
export interface Addressee {
  kind: 'guardian' | 'student'
  id: string
}

/** The messages about money, by the keys of their texts. */
export type MoneyText = 'invoice.issued' | 'invoice.reminder_requested' | 'receipt.sent'

/**
 * Finds those of some people whom a message would reach over no channel, and why, by their ids. Messages are another
 * module’s, which needs this one.
 */
export type FindUnreached = (
  place: { whole: ScopedDb; tenant: TenantInfo },
  text: MoneyText,
  people: readonly Addressee[],
) => Promise<ReadonlyMap<string, { name: string; because: UnreachedBecause }>>

const Person = named('UnreachedPerson', v.object({ kind: v.picklist(['guardian', 'student']), id, name: v.string() }), {
  kind: 'Whose record it is.',
  id: 'The id of that record, to which an address can be added.',
  name: 'What they are called.',
})

const fields = { recipient: Person, because: v.picklist(UNREACHED_BECAUSE) }
const words = {
  recipient: 'Whom the message was for.',
  because:
    '`no_address`: their record has no address of a channel that is set up; `not_set_up`: it has an email address, and the institute has no mailbox; `opted_out`: they want no such messages; `text_off`: the institute has switched this text off.',
}

export const Unreached = named('Unreached', v.object({ invoiceId: id, ...fields }), {
  ...words,
  invoiceId: 'The invoice that the message was about.',
})
export type Unreached = v.InferOutput<typeof Unreached>

export const unreachedList = list(Unreached)

export const NobodyReached = failure(
  'CONFLICT',
  'nobody_reached',
  'There is no channel over which this would reach the person: add an address to their record, or set the channel up.',
  {
    details: {
      schema: explained(v.object(fields), words),
      example: {
        recipient: { kind: 'guardian' as const, id: '01890a5d-ac96-774b-bcce-b302099a8057', name: 'Ruth Levi' },
        because: 'no_address' as const,
      },
    },
  },
)

type Owed = { id: string; student_id: string; payer_guardian_id: string | null }

/** Who gets the messages about an issued invoice: the guardian who pays it, else the student. */
export const addresseeOf = ({ student_id: studentId, payer_guardian_id: payerId }: Omit<Owed, 'id'>): Addressee =>
  payerId === null ? { kind: 'student', id: studentId } : { kind: 'guardian', id: payerId }

/** @throws NobodyReached */
export const mustReach = async (
  findUnreached: FindUnreached,
  place: Parameters<FindUnreached>[0],
  { text, to }: { text: MoneyText; to: Addressee },
): Promise<void> => {
  const unreached = (await findUnreached(place, text, [to])).get(to.id)
  if (unreached) throw NobodyReached({ recipient: { ...to, name: unreached.name }, because: unreached.because })
}

/** Of these invoices those whose payer the message does not reach, in the order of the ids. */
export const unreachedOf = async (
  findUnreached: FindUnreached,
  place: Parameters<FindUnreached>[0],
  { text, ids }: { text: MoneyText; ids: readonly string[] },
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
    return to && found ? { invoiceId, recipient: { ...to, name: found.name }, because: found.because } : []
  })
}
