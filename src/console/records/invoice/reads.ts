import { answer, api, type Query, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'

export type Invoice = Schemas['InvoiceDetail']
export type Listed = Schemas['ListedInvoice']

/** As many as fill a few windows: the list never holds more than one page of them. */
const A_PAGE = 100
/** How long a page that is no longer shown is kept: going back shows it at once, and thousands do not pile up. */
const KEPT_MILLIS = 20_000

export interface InvoiceFilters {
  q?: string | undefined
  status?: readonly Schemas['InvoiceStatus'][] | undefined
  branchId?: string | undefined
  studentId?: string | undefined
  dueFrom?: string | undefined
  dueTo?: string | undefined
  issuedFrom?: string | undefined
  issuedTo?: string | undefined
  groupId?: string | undefined
  courseId?: string | undefined
  sort?: 'dueDate' | undefined
  /** The cursor of the page. */
  cursor?: string | undefined
}

const said = (filters: InvoiceFilters) =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value)) as { [K in keyof InvoiceFilters]: string }

/** One page of the list. The former one stays until it is there. */
export const useInvoices = (filters: InvoiceFilters) => {
  const query = said(filters) as Omit<InvoiceFilters, never>
  return useGet(
    ['/invoices', 'list', query],
    (signal) => answer(api.GET('/invoices', { params: { query: { ...(query as object), limit: A_PAGE } }, signal })),
    { keepsFormer: true, keptMillis: KEPT_MILLIS },
  )
}

export const readInvoice = (id: string, signal?: AbortSignal): Promise<Invoice> =>
  answer(api.GET('/invoices/{id}', { params: { path: { id } }, signal }))

export const useInvoice = (id: string) => useGet(['/invoices', id], (signal) => readInvoice(id, signal))

/** The invoices of a student, the newest first. */
export const readInvoicesOf = (
  studentId: string,
  query: Query<'/students/{id}/invoices'>,
  signal?: AbortSignal,
): Promise<Schemas['ListedInvoicePage']> =>
  answer(api.GET('/students/{id}/invoices', { params: { path: { id: studentId }, query }, signal }))
