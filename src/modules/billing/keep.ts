import { compiledByIds, compiledInTenant } from '#db/queries/compiled.ts'
import type { Locale } from '#shared/locale.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { found } from '#kernel/values/errors.ts'
import type { Address } from '#kernel/values/schema.ts'
import { fullName } from '#modules/people/index.ts'
import { readIssuer, type Issuer } from '#modules/settings/index.ts'

/** Somebody as a paper names them. */
export interface KeptParty {
  fullName: string
  nationalId: string | null
  address: Address | null
}

/** What a receipt says of people and the institute, as it was when it was made. */
export interface KeptReceipt {
  locale: Locale
  issuer: Issuer
  payer: KeptParty | null
}

/** What an invoice says of them, as it was at issue. */
export interface KeptInvoice extends KeptReceipt {
  student: KeptParty & { studentNumber: string }
}

interface Person {
  first_name: string
  last_name: string
  national_id: string | null
  address: Address | null
}

const toParty = (row: Person): KeptParty => ({
  fullName: fullName(row),
  nationalId: row.national_id,
  address: row.address,
})

const studentById = compiledInTenant((whole, { id }: { id: string }) =>
  whole
    .selectFrom('student')
    .select(['first_name', 'last_name', 'national_id', 'address', 'student_number'])
    .where('id', '=', id),
)

const payersOfRecord = compiledByIds((whole, studentIds) =>
  whole
    .selectFrom('guardian_link')
    .select(['student_id', 'guardian_id'])
    .where('is_payer', '=', true)
    .where('student_id', 'in', studentIds),
)

/** The guardians who are the payers of record of these students now. */
export const readPayersOfRecord = async (
  whole: ScopedDb,
  studentIds: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  new Map((await payersOfRecord(whole, [...studentIds])).map((row) => [row.student_id, row.guardian_id]))

/** Whoever has an account chose its language; until then the record says one. */
const localeOf = (row: { preferred_locale: Locale; account_locale: Locale | null }): Locale =>
  row.account_locale ?? row.preferred_locale

const payerLocales = compiledByIds((whole, studentIds) =>
  whole
    .selectFrom('guardian_link')
    .innerJoin('guardian', 'guardian.id', 'guardian_link.guardian_id')
    .leftJoin('user', 'user.id', 'guardian.user_id')
    .select(['guardian_link.student_id', 'guardian.preferred_locale', 'user.locale as account_locale'])
    .where('guardian_link.is_payer', '=', true)
    .where('guardian_link.student_id', 'in', studentIds),
)

/** In which languages invoices of these students are written; who has no payer of record is missing. */
export const readPayerLocales = async (
  whole: ScopedDb,
  studentIds: readonly string[],
): Promise<ReadonlyMap<string, Locale>> =>
  new Map((await payerLocales(whole, studentIds)).map((row) => [row.student_id, localeOf(row)]))

const guardianById = compiledInTenant((whole, { id }: { id: string }) =>
  whole
    .selectFrom('guardian')
    .leftJoin('user', 'user.id', 'guardian.user_id')
    .select(['guardian.id', 'guardian.first_name', 'guardian.last_name', 'guardian.national_id', 'guardian.address'])
    .select(['guardian.preferred_locale', 'user.locale as account_locale'])
    .where('guardian.id', '=', id),
)

/** In which language a guardian is written to; undefined: there is no such guardian. */
export const readGuardianLocale = async (whole: ScopedDb, id: string): Promise<Locale | undefined> =>
  (await guardianById(whole, { id })).map(localeOf)[0]

/** A payer as a paper names them now; null: there is none. @throws NotFound */
export const readPayer = async (
  whole: ScopedDb,
  guardianId: string | null,
): Promise<{ party: KeptParty; locale: Locale } | null> => {
  if (guardianId === null) return null
  const row = found((await guardianById(whole, { id: guardianId }))[0])
  return { party: toParty(row), locale: localeOf(row) }
}

/** The institute as papers of this branch keep it; its logo stays among the files with them. */
const keepIssuer = async ({ whole }: Tx, branchId: string): Promise<Issuer> => {
  const issuer = await readIssuer(whole, branchId)
  if (issuer.logoFileId !== null) {
    await whole
      .insertInto('kept_logo')
      .values({ file_id: issuer.logoFileId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  return issuer
}

/** What a receipt keeps, whose first invoice is of this branch. */
export const keptForReceipt = async (tx: Tx, branchId: string, payerId: string | null): Promise<KeptReceipt> => {
  const payer = await readPayer(tx.whole, payerId)
  return {
    locale: payer?.locale ?? tx.tenant.defaultLocale,
    issuer: await keepIssuer(tx, branchId),
    payer: payer?.party ?? null,
  }
}

/** What an invoice that is issued now keeps, and who pays it: the student’s payer of record. */
export const keptForInvoice = async (
  tx: Tx,
  { student_id: studentId, branch_id: branchId }: { student_id: string; branch_id: string },
): Promise<{ kept: KeptInvoice; payerGuardianId: string | null }> => {
  const student = found((await studentById(tx.whole, { id: studentId }))[0])
  const payerGuardianId = (await readPayersOfRecord(tx.whole, [studentId])).get(studentId) ?? null
  const kept = await keptForReceipt(tx, branchId, payerGuardianId)
  return { kept: { ...kept, student: { ...toParty(student), studentNumber: student.student_number } }, payerGuardianId }
}

const ofInvoice = compiledInTenant((whole, { id }: { id: string }) =>
  whole.selectFrom('invoice').select('kept').where('id', '=', id),
)

/** What an invoice keeps; null: it was not issued. */
export const keptOfInvoice = async (whole: ScopedDb, id: string): Promise<KeptInvoice | null> =>
  found((await ofInvoice(whole, { id }))[0]).kept

const ofReplaced = compiledInTenant((db, { id, invoiceId }: { id: string; invoiceId: string }) =>
  db.selectFrom('replaced_invoice').select('kept').where('id', '=', id).where('invoice_id', '=', invoiceId),
)

/** What an invoice kept before it was moved to another payer. @throws NotFound */
export const keptOfReplaced = async (db: ScopedDb, invoiceId: string, id: string): Promise<KeptInvoice> =>
  found((await ofReplaced(db, { id, invoiceId }))[0]).kept

const ofReceipt = compiledInTenant((whole, { id }: { id: string }) =>
  whole.selectFrom('receipt').select('kept').where('id', '=', id),
)

export const keptOfReceipt = async (whole: ScopedDb, id: string): Promise<KeptReceipt | null> =>
  found((await ofReceipt(whole, { id }))[0]).kept

const ofNote = compiledInTenant((db, { id }: { id: string }) =>
  db
    .selectFrom('credit_note')
    .innerJoin('invoice', 'invoice.id', 'credit_note.invoice_id')
    .select(['credit_note.kept', 'invoice.branch_id'])
    .where('credit_note.id', '=', id),
)

/** What a credit note keeps, which is what its invoice did, and the branch of that. @throws NotFound */
export const keptOfNote = async (db: ScopedDb, id: string) => found((await ofNote(db, { id }))[0])

const ofRefund = compiledInTenant((db, { id }: { id: string }) =>
  db.selectFrom('refund').select(['kept', 'branch_id']).where('id', '=', id),
)

/** What a refund keeps, and where its credit was kept. @throws NotFound */
export const keptOfRefund = async (db: ScopedDb, id: string) => found((await ofRefund(db, { id }))[0])
