import { ApiError, issuesOf } from '#kernel/values/errors.ts'
import { money } from '#kernel/values/money.ts'
import { isSameName } from '#shared/names.ts'
import { storedIdentity } from '#kernel/values/identity-number.ts'
import { countryOfZone, normalisePhone } from '#kernel/values/phone.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { addDays } from '#kernel/time/zone.ts'
import { computed } from '#modules/billing/index.ts'
import { knownGuardians, knownStudents } from '#modules/people/index.ts'
import { readSettings } from '#modules/settings/index.ts'
import { presentIds, type Asked } from './asked.ts'
import { planBills, type Bill } from './bills.ts'
import { register, seatsOf } from './register.ts'
import type { FirstInvoice, Registration } from './schemas.ts'

/** What a desk is told before it registers somebody. */

const phoneOf = ({ tenant }: Tx, typed: string | null | undefined): string | undefined =>
  typed ? normalisePhone(typed, countryOfZone(tenant.timezone)) : undefined

/** Who has the phone of the guardian. */
const readKnownGuardians = async ({
  tx,
  caller,
  body,
  lead,
  within,
}: Asked): Promise<Registration['knownGuardians']> => {
  const about = body.guardian === undefined ? lead?.guardian : body.guardian
  const phone = phoneOf(tx, about?.phone)
  if (!about || phone === undefined || !caller.grants.holds('guardians.read')) return []
  const { firstName, lastName } = about
  const name = firstName !== undefined && lastName !== undefined ? `${firstName} ${lastName}` : undefined
  const found = await knownGuardians(within('guardians.read').db, phone, within('students.read').db)
  return found.map((one) => ({
    ...one,
    isSameName: name === undefined ? null : isSameName(name, `${one.firstName} ${one.lastName}`),
  }))
}

/** Who looks like a student who is to be added. */
const readKnownStudents = async ({ tx, body, lead, within }: Asked, at: number) => {
  const { id, firstName, lastName, phone, nationalId } = body.students[at] as Asked['body']['students'][number]
  if (id !== undefined) return []
  const ofLead = at === 0 ? lead : null
  const found = await knownStudents(within('students.read').db, {
    firstName: firstName ?? ofLead?.first_name,
    lastName: lastName ?? ofLead?.last_name,
    phone: phoneOf(tx, phone === undefined ? ofLead?.phone : phone),
    nationalId: nationalId ? storedIdentity(nationalId, tx.tenant.timezone) : null,
  })
  return found.filter((one) => one.id !== ofLead?.student_id)
}

const preview = ({ currency, lines }: Bill, dueDate: string): FirstInvoice => {
  const { amounts, totals } = computed(lines)
  const of = (amountMinor = 0) => money(amountMinor, currency)
  return {
    id: null,
    number: null,
    dueDate,
    subtotal: of(totals.subtotalMinor),
    discount: of(totals.discountMinor),
    tax: of(totals.taxMinor),
    total: of(totals.totalMinor),
    lines: lines.map(({ unitAmountMinor, discountMinor, ...line }, nth) => ({
      ...line,
      unitAmount: of(unitAmountMinor),
      discount: of(discountMinor),
      tax: of(amounts[nth]?.tax),
      total: of(amounts[nth]?.total),
    })),
    unreached: null,
  }
}

/** @throws what is no refusal of the request */
const refusalOf = (error: unknown): Registration['refusal'] => {
  if (!(error instanceof ApiError) || error.spec.status >= 500 || error.spec.code === 'RATE_LIMITED') throw error
  const { spec, details } = error
  const issues = issuesOf(error)
  const [first] = issues
  const path = first?.path ?? (details?.['path'] as string[] | undefined) ?? []
  const { code, reason = null } = spec
  return { code, reason, message: first?.message ?? spec.message, path, issues: [...issues] }
}

/**
 * Says what a registration would come to. It tries to make it, which its caller takes back.
 * @throws VALIDATION_ERROR for lines that cannot be an invoice
 */
export const rehearse = async (asked: Asked): Promise<Registration> => {
  const { tx, body } = asked
  const present = presentIds(asked)
  const dueDate = body.dueDate ?? addDays(tx.today, (await readSettings(tx.whole)).invoiceDueDays)
  const bills = await planBills(asked, present)
  const students = []
  for (const at of body.students.keys()) {
    students.push({
      student: null,
      isNew: present[at] === null,
      link: null,
      knownStudents: await readKnownStudents(asked, at),
      enrollments: [],
      invoices: (bills[at] ?? []).map((bill) => preview(bill, dueDate)),
    })
  }
  const guardians = await readKnownGuardians(asked)
  // Last: a refusal of the database ends the transaction.
  const refusal = await register(asked).then(() => null, refusalOf)
  return { dryRun: true, guardian: null, knownGuardians: guardians, students, groups: seatsOf(asked), refusal }
}
