import { read, type Endpoint } from '#kernel/endpoint.ts'
import { content } from '#kernel/media.ts'
import { paperContent, type PaperDeps } from './frame.ts'
import { invoicePaper } from './invoice.ts'
import { receiptPaper } from './receipt.ts'
import { CopyQuery, ReceiptPaperQuery } from './schemas.ts'

const PDF = content(['application/pdf'])

const COMMON =
  'A PDF, named by its number. The same record gives the same bytes and the same ETag, until the institute changes its name, colour, logo or address. A logo above 2,000,000 bytes or 8,000,000 pixels is left out.'

const replyHeaders = {
  ETag: 'Names these bytes: with If-None-Match, who has them gets a 304.',
  'Content-Disposition': 'Shown by browsers (inline), with the file name under which it is saved.',
}

const common = { reply: PDF, replyHeaders } as const

export const paperEndpoints = (deps: PaperDeps): readonly Endpoint[] => [
  read({
    ...common,
    id: 'invoices.pdf',
    path: '/invoices/{id}/pdf',
    summary: 'Get an invoice as a paper',
    description: `${COMMON} A draft and a void invoice are marked as such.`,
    access: 'invoices.read',
    query: CopyQuery,
    handle: async ({ params, query, ...context }) => {
      const { language, draft } = await invoicePaper(context, params.id, query)
      return paperContent(deps, context, language, draft)
    },
  }),
  read({
    ...common,
    id: 'receipts.pdf',
    path: '/receipts/{id}/pdf',
    summary: 'Get a receipt as a paper',
    description: `${COMMON} A cancelled receipt is marked as such. Under a role for one branch, with the payments on invoices of that branch.`,
    access: 'invoices.read',
    query: ReceiptPaperQuery,
    handle: async ({ params, query, ...context }) => {
      const { language, draft } = await receiptPaper(context, params.id, query)
      return paperContent(deps, context, language, draft)
    },
  }),
]
