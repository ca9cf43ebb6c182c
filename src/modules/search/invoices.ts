import { compiledByKeyInTenant } from '#db/queries/compiled.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { yearOf } from '#kernel/time/zone.ts'
import { numbersMeant } from '#modules/billing/index.ts'
import type { Find } from './find.ts'
import '#modules/people/index.ts'

/** The numbers by their index. */
interface Slots {
  [exact: number]: string
  from: string
  to: string
  limit: number
}

/** More than there are combinations: with and without numbers, with and without a range. The years change once a year. */
const MAX_COMPILED_QUERIES = 8

interface FoundInvoice {
  id: string
  number: string
  first_name: string
  last_name: string
}

const numbered = compiledByKeyInTenant<FoundInvoice>(MAX_COMPILED_QUERIES)

/** Invoices by their number, the highest first. @param today the date at the institute */
export const findInvoices =
  (today: () => string): Find =>
  async (db, { q, limit }) => {
    const { exact, range } = numbersMeant(q, yearOf(today()))
    if (exact.length === 0 && !range) return []
    const query = {
      key: `${exact.length} ${range ? 'range' : ''}`,
      build: (handle: ScopedDb, slots: Slots) =>
        handle
          .selectFrom('invoice')
          .innerJoin('student', 'student.id', 'invoice.student_id')
          .select(['invoice.id', 'invoice.number', 'student.first_name', 'student.last_name'])
          .where((eb) => {
            const numbers = exact.map((_, index) => slots[index] as string)
            return eb.or([
              ...(exact.length > 0 ? [eb('invoice.number', 'in', numbers)] : []),
              ...(range ? [eb.between('invoice.number', slots.from, slots.to)] : []),
            ])
          })
          .orderBy('invoice.number', 'desc')
          .limit(slots.limit),
    }
    const [from = '', to = ''] = range ?? []
    const rows = await numbered(db, query, { ...Object.fromEntries(exact.entries()), from, to, limit: limit + 1 })
    return rows.map((row) => ({ id: row.id, label: row.number, sublabel: `${row.first_name} ${row.last_name}` }))
  }
