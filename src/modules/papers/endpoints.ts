import { read, type Endpoint } from '#kernel/contract/endpoint.ts'
import type { Marking } from '#kernel/contract/unit-of-work.ts'
import type { Caller } from '#kernel/who/actor.ts'
import { Merged, orMerged } from '#modules/people/index.ts'
import { SumTooLarge } from '#kernel/values/sums.ts'
import { content } from '#kernel/values/media.ts'
import { editionNow, takeOriginal } from '#modules/billing/index.ts'
import { PapersWaiting } from '#ports/papers/port.ts'
import { PAPER_TYPE, paperContent, readyPaper, type MakePaper, type PaperContext, type PaperDeps } from './frame.ts'
import { contactsPaper } from './contacts.ts'
import { certificatePaper, rosterPaper } from './group.ts'
import { invoicePaper } from './invoice.ts'
import { receiptPaper } from './receipt.ts'
import { reportPaper } from './report.ts'
import {
  GroupPaperQuery,
  InvoicePaperQuery,
  LocaleQuery,
  ReceiptPaperQuery,
  RosterPaperQuery,
  StatementPaperQuery,
} from './schemas.ts'
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

interface Asked extends Omit<PaperContext, 'editionOf'>, Marking {
  caller: Caller
  now: string
}

/** Which edition of a receipt the caller gets. */
const editionFor =
  ({ whole, caller, now, mark }: Asked): PaperContext['editionOf'] =>
  async (receiptId) => {
    const taker = { id: caller.id, actor: caller.actor }
    const edition = await editionNow(whole, receiptId, { taker, now })
    return edition ?? (mark ? mark((tx) => takeOriginal(tx, receiptId, taker)) : 'original')
  }

export const paperEndpoints = (deps: PaperDeps): readonly Endpoint[] => {
  const handle =
    <Query>(make: MakePaper<Query>) =>
    async ({ params, query, ...asked }: Asked & { params: { id: string }; query: Query }) => {
      const context = { ...asked, editionOf: editionFor(asked) }
      const draft = await make(context, params.id, query)
      return paperContent(await readyPaper(deps, context, draft))
    }
  return [
    read({
      ...common,
      id: 'invoices.pdf',
      path: '/invoices/{id}/pdf',
      summary: 'Get an invoice as a paper',
      description: `${KEPT} What was paid since stands on receipts and statements, not on it. A draft and a void invoice are marked as such, and so is the paper that was replaced when the invoice was moved to another payer (\`replaced\`; 404 where the invoice has none of this id).`,
      access: 'invoices.read',
      query: InvoicePaperQuery,
      handle: handle(invoicePaper),
    }),
    read({
      ...common,
      id: 'receipts.pdf',
      path: '/receipts/{id}/pdf',
      summary: 'Get a receipt as a paper',
      description: `${KEPT} A cancelled receipt is marked as such. A receipt has one original: the first paper that anybody gets of it, here or with a mail, is marked so, and this is written down with it and in the audit log; of two who ask at once one gets it. All papers after it are marked as copies, except that who got the original gets it again for an hour, so that a request that is repeated after a lost connection says the same, and so does who recorded the payment, for an hour from then. A mail that carries the original says so at each attempt to send it; when it is given up or refused, the original is there again. A HEAD and \`copy=true\` take no original. Receipts from before originals were kept are copies. Under a role for one branch, with the payments on invoices of that branch; where there are others, it is a copy.`,
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
      id: 'directory.contacts-pdf',
      path: '/groups/{id}/contacts/pdf',
      summary: 'Get the contact list of a group as a paper',
      description: `${COMMON} It says what GET /groups/{id}/contacts says: the students by name, their guardians and phones, and nothing else of them.`,
      access: 'guardians.read',
      query: GroupPaperQuery,
      handle: handle(contactsPaper),
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
