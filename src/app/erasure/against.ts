import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { PersonKind } from '#app/person-file/kept.ts'

/** What stands in the way of erasing a person, each by a reason that an office can see to. */

export const AGAINST = [
  'active',
  'enrolled',
  'waiting',
  'in_course',
  'draft',
  'debt',
  'credit',
  'cheque',
  'online_payment',
  'payer',
  'only_guardian',
] as const
export interface Against {
  reason: (typeof AGAINST)[number]
  count: number
}

interface Counted {
  executeTakeFirstOrThrow(): Promise<{ count: number }>
}

/** Cheques of which money is still to come. */
const PENDING_CHEQUES = ['held', 'due', 'deposited'] as const
const OPEN_INVOICES = ['issued', 'partially_paid', 'overdue'] as const
const LIVE_PAYMENTS = ['opening', 'open', 'pending'] as const

const inBooks = (db: ScopedDb, kind: PersonKind, id: string): Partial<Record<Against['reason'], Counted>> => {
  const invoices = db
    .selectFrom('invoice')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(kind === 'student' ? 'student_id' : 'payer_guardian_id', '=', id)
  const column = kind === 'student' ? 'student_id' : 'guardian_id'
  return {
    draft: invoices.where('status', '=', 'draft'),
    debt: invoices.where('status', 'in', OPEN_INVOICES),
    credit: db
      .selectFrom('payer_account')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where(column, '=', id)
      .where('credit_minor', '!=', 0),
    cheque: db
      .selectFrom('cheque')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where(column, '=', id)
      .where('status', 'in', PENDING_CHEQUES),
    online_payment: db
      .selectFrom('online_payment')
      .innerJoin('invoice', 'invoice.id', 'online_payment.invoice_id')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where(kind === 'student' ? 'invoice.student_id' : 'online_payment.payer_guardian_id', '=', id)
      .where((eb) =>
        eb.or([
          eb('online_payment.state', 'in', LIVE_PAYMENTS),
          eb.and([eb('online_payment.problem', 'is not', null), eb('online_payment.settled_at', 'is', null)]),
        ]),
      ),
  }
}

const ofStudent = (db: ScopedDb, id: string): Partial<Record<Against['reason'], Counted>> => ({
  active: db
    .selectFrom('student')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('id', '=', id)
    .where('status', 'in', ['active', 'paused']),
  enrolled: db
    .selectFrom('enrollment')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('student_id', '=', id)
    .where('status', '=', 'active'),
  waiting: db
    .selectFrom('waiting_entry')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('student_id', '=', id),
  in_course: db
    .selectFrom('course_enrollment')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('student_id', '=', id)
    .where('status', '=', 'active'),
})

/** Of students who have not left. */
const ofGuardian = (db: ScopedDb, id: string): Partial<Record<Against['reason'], Counted>> => {
  const links = db
    .selectFrom('guardian_link')
    .innerJoin('student', 'student.id', 'guardian_link.student_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('guardian_link.guardian_id', '=', id)
    .where('student.status', 'in', ['active', 'paused'])
  return {
    payer: links.where('guardian_link.is_payer', '=', true),
    only_guardian: links.where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('guardian_link as other')
            .select('other.id')
            .whereRef('other.student_id', '=', 'guardian_link.student_id')
            .where('other.guardian_id', '!=', id),
        ),
      ),
    ),
  }
}

/** In the order in which an office sees to it. */
export const standsAgainst = async (db: ScopedDb, kind: PersonKind, id: string): Promise<Against[]> => {
  const looks = { ...(kind === 'student' ? ofStudent(db, id) : ofGuardian(db, id)), ...inBooks(db, kind, id) }
  const against: Against[] = []
  for (const reason of AGAINST) {
    const look = looks[reason]
    const { count } = look ? await look.executeTakeFirstOrThrow() : { count: 0 }
    if (count > 0) against.push({ reason, count })
  }
  return against
}
