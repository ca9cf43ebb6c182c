import { read, type Endpoint } from '#kernel/contract/endpoint.ts'
import { Merged, orMerged } from '#modules/people/index.ts'
import { SumTooLarge } from '#kernel/values/sums.ts'
import { content } from '#kernel/values/media.ts'
import { PapersWaiting } from '#ports/papers/port.ts'
import { PAPER_TYPE, paperContent, readyPaper, type MakePaper, type PaperContext, type PaperDeps } from './frame.ts'
import { certificatePaper, rosterPaper } from './group.ts'
import { invoicePaper } from './invoice.ts'
import { receiptPaper } from './receipt.ts'
import { reportPaper } from './report.ts'
import { CopyQuery, LocaleQuery, ReceiptPaperQuery, RosterPaperQuery, StatementPaperQuery } from './schemas.ts'
import { statementPaper } from './statement.ts'

const KEPT =
  'A PDF. The same record gives the same bytes and the same ETag. An issued invoice and a receipt say of people and the institute what was so when they were made, whatever changed since; a draft says what is so now.'

const COMMON =
  'A PDF. The same record gives the same bytes and the same ETag, until the institute changes its name, colour, logo, address or tax number. A logo above 2,000,000 bytes or 8,000,000 pixels is left out.'

const common = {
  reply: content([PAPER_TYPE]),
  fails: [PapersWaiting],
  replyHeaders: {
    ETag: 'Names these bytes: with If-None-Match, who has them gets a 304.',
    'Content-Disposition': 'Shown by browsers (inline), with the file name under which it is saved.',
  },
} as const

export const paperEndpoints = (deps: PaperDeps): readonly Endpoint[] => {
  const handle =
    <Query>(make: MakePaper<Query>) =>
    async ({ params, query, ...context }: PaperContext & { params: { id: string }; query: Query }) => {
      const draft = await make(context, params.id, query)
      return paperContent(await readyPaper(deps, context, draft))
    }
  return [
    read({
      ...common,
      id: 'invoices.pdf',
      path: '/invoices/{id}/pdf',
      summary: 'Get an invoice as a paper',
      description: `${KEPT} A draft and a void invoice are marked as such.`,
      access: 'invoices.read',
      query: CopyQuery,
      handle: handle(invoicePaper),
    }),
    read({
      ...common,
      id: 'receipts.pdf',
      path: '/receipts/{id}/pdf',
      summary: 'Get a receipt as a paper',
      description: `${KEPT} A cancelled receipt is marked as such. Under a role for one branch, with the payments on invoices of that branch.`,
      access: 'invoices.read',
      query: ReceiptPaperQuery,
      handle: handle(receiptPaper),
    }),
    read({
      ...common,
      id: 'invoices.statement-pdf',
      path: '/students/{id}/statement/pdf',
      summary: 'Get a student’s statement of account as a paper',
      description: `${COMMON} It says what GET /students/{id}/statement says.`,
      access: 'invoices.read',
      query: StatementPaperQuery,
      fails: [Merged, PapersWaiting, SumTooLarge],
      handle: (context) => orMerged(context, handle(statementPaper)),
    }),
    read({
      ...common,
      id: 'progress-reports.pdf',
      path: '/progress-reports/{id}/pdf',
      summary: 'Get a progress report as a paper',
      description: `${COMMON} A draft is marked as such.`,
      access: 'reports.read',
      flag: 'basic_reports',
      query: LocaleQuery,
      handle: handle(reportPaper),
    }),
    read({
      ...common,
      id: 'attendance.roster-pdf',
      path: '/groups/{id}/roster/pdf',
      summary: 'Get the class list of a group as a paper',
      description: `${COMMON} Who was on the roster of one of the last held sessions or is enrolled now, by last name, and how they were marked; with \`sessions\` up to 30.`,
      access: 'attendance.read',
      query: RosterPaperQuery,
      handle: handle(rosterPaper),
    }),
    read({
      ...common,
      id: 'enrollments.pdf',
      path: '/enrollments/{id}/certificate/pdf',
      summary: 'Get a certificate of enrollment',
      description: COMMON,
      access: 'enrollments.read',
      query: LocaleQuery,
      handle: handle(certificatePaper),
    }),
  ]
}
