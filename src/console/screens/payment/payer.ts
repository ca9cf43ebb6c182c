import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { useMe } from '../../shell/me.tsx'
import { isOpen } from '../../records/invoice/status.tsx'
import type { Open } from '../../../shared/allocate.ts'

/** Whom the money is taken for: a guardian with all children that they pay for, or a student with their family. */
export interface Payer {
  kind: 'guardians' | 'students'
  id: string
}

/** An open invoice as the till shows it. */
export interface OpenInvoice extends Open {
  number: string
  studentId: string
  currency: string
  total: Schemas['Money']
  /** What it is for: its first line, and how many it has. */
  firstLine: string
  lineCount: number
}

/** Who may have come to pay. */
export interface Paying {
  guardianId?: string
  studentId?: string
  name: string
  /** For whom they may pay. */
  studentIds: readonly string[]
}

export interface Bill {
  /** Of whoever pays. */
  name: string
  /** Who pays by record, and then the other guardians of the family. */
  payers: readonly [Paying, ...Paying[]]
  /** What whoever pays by record has in credit, where it is anything. */
  credits: readonly Schemas['Money'][]
  /** The children's names by their ids. */
  students: ReadonlyMap<string, string>
  invoices: readonly OpenInvoice[]
  /** Children who owe something that another guardian pays, or nobody else. */
  others: readonly { id: string; name: string }[]
}

const openOf = (
  invoice: Pick<
    Schemas['ListedInvoice'],
    'id' | 'number' | 'studentId' | 'dueDate' | 'total' | 'balance' | 'firstLine' | 'lineCount'
  >,
): OpenInvoice => {
  const { id, number, studentId, dueDate, total, balance, firstLine, lineCount } = invoice
  const { amountMinor: openMinor, currency } = balance
  return { id, number, studentId, dueDate, total, openMinor, currency, firstLine, lineCount }
}

/** The credit of each currency, without what happened. */
const creditsOf = ({ credit, otherCurrencies }: Schemas['Account']): Schemas['Money'][] =>
  [credit, ...otherCurrencies.map((other) => other.credit)].filter(({ amountMinor }) => amountMinor > 0)

const SUMS_ALONE = { limit: 1 }

const ofGuardian = async (id: string, mayReadAccount: boolean, signal: AbortSignal): Promise<Bill> => {
  const params = { path: { id } }
  const [guardian, family, credits] = await Promise.all([
    answer(api.GET('/guardians/{id}', { params, signal })),
    answer(api.GET('/guardians/{id}/family-summary', { params, signal })),
    mayReadAccount
      ? answer(api.GET('/guardians/{id}/account', { params: { ...params, query: SUMS_ALONE }, signal })).then(creditsOf)
      : [],
  ])
  const name = `${guardian.firstName} ${guardian.lastName}`
  const others = family.otherGuardians.map(({ guardianId, firstName, lastName, studentIds }) => ({
    guardianId,
    name: `${firstName} ${lastName}`,
    studentIds,
  }))
  return {
    name,
    payers: [{ guardianId: id, name, studentIds: family.children.map(({ studentId }) => studentId) }, ...others],
    credits,
    students: new Map(family.children.map(({ studentId, fullName }) => [studentId, fullName])),
    invoices: (family.financial?.openInvoices ?? []).map(openOf),
    others: family.children
      .filter(({ isPayer, openInvoices }) => !isPayer && (openInvoices ?? []).length > 0)
      .map(({ studentId, fullName }) => ({ id: studentId, name: fullName })),
  }
}

const A_PAGE = 100

const openInvoicesOf = async (studentId: string, signal: AbortSignal): Promise<OpenInvoice[]> => {
  const open: OpenInvoice[] = []
  let cursor: string | null = null
  do {
    const query: { limit: number; cursor?: string } = { limit: A_PAGE, ...(cursor !== null && { cursor }) }
    const reply = api.GET('/students/{id}/invoices', { params: { path: { id: studentId }, query }, signal })
    // oxlint-disable-next-line no-await-in-loop -- each page tells where the next one begins
    const page: Schemas['ListedInvoicePage'] = await answer(reply)
    open.push(...page.data.filter(isOpen).map(openOf))
    cursor = page.nextCursor
  } while (cursor !== null)
  return open
}

interface May {
  findPayer: boolean
  readAccount: boolean
}

const ofStudent = async (id: string, may: May, signal: AbortSignal): Promise<Bill> => {
  const params = { path: { id } }
  const guardians = may.findPayer ? (await answer(api.GET('/students/{id}/guardians', { params, signal }))).data : []
  const payer = guardians.find(({ isPayer }) => isPayer)
  if (payer) return ofGuardian(payer.guardianId, may.readAccount, signal)
  const [student, invoices, credits] = await Promise.all([
    answer(api.GET('/students/{id}', { params, signal })),
    openInvoicesOf(id, signal),
    may.readAccount
      ? answer(api.GET('/students/{id}/account', { params: { ...params, query: SUMS_ALONE }, signal })).then(creditsOf)
      : [],
  ])
  const name = student.fullName
  const others = guardians.map(({ guardianId, guardian: { firstName, lastName } }) => ({
    guardianId,
    name: `${firstName} ${lastName}`,
    studentIds: [id],
  }))
  return {
    name,
    payers: [{ studentId: id, name, studentIds: [id] }, ...others],
    credits,
    students: new Map([[id, name]]),
    invoices,
    others: [],
  }
}

/** What this payer may pay now: of a student, what the guardian who pays for them owes for the whole family. */
export const useBill = ({ kind, id }: Payer) => {
  const { can } = useMe()
  const may: May = { findPayer: can('guardians.read'), readAccount: can('invoices.read') }
  return useGet(['/invoices', 'bill', kind, id], (signal) =>
    kind === 'guardians' ? ofGuardian(id, may.readAccount, signal) : ofStudent(id, may, signal),
  )
}
