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
}

export interface Bill {
  /** Of whoever pays. */
  name: string
  /** The children's names by their ids. */
  students: ReadonlyMap<string, string>
  invoices: readonly OpenInvoice[]
  /** Children who owe something that another guardian pays, or nobody else. */
  others: readonly { id: string; name: string }[]
}

const openOf = (
  invoice: Pick<Schemas['ListedInvoice'], 'id' | 'number' | 'studentId' | 'dueDate' | 'total' | 'balance'>,
): OpenInvoice => {
  const { id, number, studentId, dueDate, total, balance } = invoice
  return { id, number, studentId, dueDate, total, openMinor: balance.amountMinor, currency: balance.currency }
}

const ofGuardian = async (id: string, signal: AbortSignal): Promise<Bill> => {
  const params = { path: { id } }
  const [guardian, family] = await Promise.all([
    answer(api.GET('/guardians/{id}', { params, signal })),
    answer(api.GET('/guardians/{id}/family-summary', { params, signal })),
  ])
  return {
    name: `${guardian.firstName} ${guardian.lastName}`,
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

const ofStudent = async (id: string, mayFindPayer: boolean, signal: AbortSignal): Promise<Bill> => {
  const params = { path: { id } }
  if (mayFindPayer) {
    const { data } = await answer(api.GET('/students/{id}/guardians', { params, signal }))
    const payer = data.find(({ isPayer }) => isPayer)
    if (payer) return ofGuardian(payer.guardianId, signal)
  }
  const [student, invoices] = await Promise.all([
    answer(api.GET('/students/{id}', { params, signal })),
    openInvoicesOf(id, signal),
  ])
  return { name: student.fullName, students: new Map([[id, student.fullName]]), invoices, others: [] }
}

/** What this payer may pay now: of a student, what the guardian who pays for them owes for the whole family. */
export const useBill = ({ kind, id }: Payer) => {
  const { can } = useMe()
  const mayFindPayer = can('guardians.read')
  return useGet(['/invoices', 'bill', kind, id], (signal) =>
    kind === 'guardians' ? ofGuardian(id, signal) : ofStudent(id, mayFindPayer, signal),
  )
}
