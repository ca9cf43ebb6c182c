import { read, type Endpoint } from '#kernel/contract/endpoint.ts'
import type { Marking } from '#kernel/contract/unit-of-work.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Permission } from '#kernel/rights/permissions.ts'
import { Forbidden, NotFound } from '#kernel/values/errors.ts'
import { previewOf, type Caller } from '#kernel/who/actor.ts'
import { isOfFamily, isOwnStudent, Merged, orMerged } from '#modules/people/index.ts'
import { studentOfSentReport } from '#modules/progress-reports/index.ts'
import { SumTooLarge } from '#kernel/values/sums.ts'
import { content } from '#kernel/values/media.ts'
import { editionNow, ownsInvoicePaper, ownsReceiptPaper, seesMoneyOf, takeOriginal } from '#modules/billing/index.ts'
import { PapersWaiting } from '#ports/papers/port.ts'
import { PAPER_TYPE, paperContent, readyPaper, type MakePaper, type PaperContext, type PaperDeps } from './frame.ts'
import { guardianAccountPaper, studentAccountPaper } from './account.ts'
import { contactsPaper } from './contacts.ts'
import { creditNotePaper } from './credit-note.ts'
import { depositPaper } from './deposit.ts'
import { certificatePaper, rosterPaper } from './group.ts'
import { invoicePaper } from './invoice.ts'
import { receiptPaper } from './receipt.ts'
import { refundPaper } from './refund.ts'
import { reportPaper } from './report.ts'
import {
  AccountPaperQuery,
  GroupPaperQuery,
  InvoicePaperQuery,
  LocaleQuery,
  MoneyPaperQuery,
  ReceiptPaperQuery,
  RosterPaperQuery,
  StatementPaperQuery,
  TillPaperQuery,
} from './schemas.ts'
import { statementPaper } from './statement.ts'
import { tillPaper } from './till.ts'

const KEPT =
  'A PDF. The same record gives the same bytes and the same ETag. An issued invoice and a receipt say of people and the institute what was so when they were made, whatever changed since; a draft says what is so now.'

const KEPT_MONEY =
  'A PDF. It keeps people and the institute as they were when it was made. It has one original, as a receipt has (GET /receipts/{id}/pdf): the first paper that anybody gets of it; all after it are copies, except that who got it, and who made the record, get it again for an hour. `copy=true` and a HEAD take none.'

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

/** Which edition of a receipt, a credit note or a refund the caller gets. */
const editionFor =
  ({ whole, caller, now, mark }: Asked): PaperContext['editionOf'] =>
  async (of) => {
    const taker = { id: caller.id, actor: caller.actor }
    const edition = await editionNow(whole, of, { taker, now })
    // Who only looks takes no original from those for whom it is.
    if (previewOf(caller)) return 'copy'
    return edition ?? (mark ? mark((tx) => takeOriginal(tx, of, taker)) : 'original')
  }

interface IsOwn<Query> {
  permission: Permission
  /** By which a teacher has those of own groups; left out: by nothing. */
  taughtToo?: Permission
  /** Whether the paper is the caller’s as a student, or as a guardian. */
  owns: (whole: ScopedDb, caller: Caller, id: string, query: Query) => Promise<boolean>
}

/**
 * A family has papers of its own, without a permission.
 * @throws Forbidden for somebody who is of no family and lacks the permission, NotFound
 */
const withOwn = async <Query>(
  asked: Asked,
  id: string,
  { query, isOwn: { permission, taughtToo, owns } }: { query: Query; isOwn: IsOwn<Query> },
): Promise<Asked> => {
  const { whole, caller } = asked
  if (caller.grants.reach(permission) === 'all') return asked
  if (await owns(whole, caller, id, query)) return { ...asked, db: whole }
  const isTeacher = taughtToo !== undefined && caller.grants.taught(taughtToo) !== undefined
  if (caller.grants.holds(permission) || isTeacher) return asked
  if (await isOfFamily(whole, caller)) throw NotFound()
  throw Forbidden({ reason: 'permission_missing', permissions: [permission] })
}

const ownInvoice: IsOwn<InvoicePaperQuery> = {
  permission: 'invoices.read',
  // A paper that was replaced is made out to whoever paid before.
  owns: async (whole, caller, id, { replaced }) => replaced === undefined && ownsInvoicePaper(whole, caller, id),
}

const ownReceipt = { permission: 'invoices.read', owns: ownsReceiptPaper } as const

const ownStatement = { permission: 'invoices.read', owns: seesMoneyOf } as const

const ownReport = {
  permission: 'reports.read',
  taughtToo: 'exams.write',
  owns: async (whole: ScopedDb, caller: Caller, id: string) => {
    const studentId = await studentOfSentReport(whole, id)
    return studentId !== null && isOwnStudent(whole, caller, { studentId, sight: 'learning' })
  },
} as const

const OWN_TOO =
  'A student and a guardian get it without the permission where it is made out to them, or to nobody but the student, and they see the money.'

export const paperEndpoints = (deps: PaperDeps): readonly Endpoint[] => {
  const handle =
    <Query>(make: MakePaper<Query>, isOwn?: IsOwn<Query>) =>
    async ({ params, query, ...given }: Asked & { params: { id: string }; query: Query }) => {
      const asked = isOwn ? await withOwn(given, params.id, { query, isOwn }) : given
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
      description: `${KEPT} What was paid since stands on receipts and statements, not on it. A draft and a void invoice are marked as such, and so is the paper that was replaced when the invoice was moved to another payer (\`replaced\`; 404 where the invoice has none of this id). ${OWN_TOO}`,
      access: 'invoices.read',
      ownToo: true,
      query: InvoicePaperQuery,
      handle: handle(invoicePaper, ownInvoice),
    }),
    read({
      ...common,
      id: 'receipts.pdf',
      path: '/receipts/{id}/pdf',
      summary: 'Get a receipt as a paper',
      description: `${KEPT} A cancelled receipt is marked as such. A receipt has one original: the first paper that anybody gets of it, here or with a mail, is marked so, and this is written down with it and in the audit log; of two who ask at once one gets it. All papers after it are marked as copies, except that who got the original gets it again for an hour, so that a request that is repeated after a lost connection says the same, and so does who recorded the payment, for an hour from then. A mail that carries the original says so at each attempt to send it; when it is given up or refused, the original is there again. A HEAD and \`copy=true\` take no original. Receipts from before originals were kept are copies. Under a role for one branch, with the payments on invoices of that branch; where there are others, it is a copy. ${OWN_TOO}`,
      access: 'invoices.read',
      ownToo: true,
      query: ReceiptPaperQuery,
      handle: handle(receiptPaper, ownReceipt),
    }),
    read({
      ...common,
      id: 'cheques.deposit-pdf',
      path: '/cheque-deposits/{id}/pdf',
      summary: 'Get a deposit list of cheques as a paper',
      description: `${COMMON} It says what GET /cheque-deposits/{id} says.`,
      access: 'invoices.read',
      query: GroupPaperQuery,
      handle: handle(depositPaper),
    }),
    read({
      ...common,
      id: 'invoices.statement-pdf',
      path: '/students/{id}/statement/pdf',
      summary: 'Get a student’s statement of account as a paper',
      description: `${COMMON} It says what GET /students/{id}/statement says. A student, and a guardian who sees the money, get it without the permission.`,
      access: 'invoices.read',
      ownToo: true,
      query: StatementPaperQuery,
      fails: [Merged, PapersWaiting, SumTooLarge],
      handle: (context) => orMerged(context, handle(statementPaper, ownStatement)),
    }),
    read({
      ...common,
      id: 'credit-notes.pdf',
      path: '/credit-notes/{id}/pdf',
      summary: 'Get a credit note as a paper',
      description: `${KEPT_MONEY} It says to whom and by whom its invoice was, how far it lowered what was to be paid, and what of it became credit.`,
      access: 'invoices.read',
      query: MoneyPaperQuery,
      handle: handle(creditNotePaper),
    }),
    read({
      ...common,
      id: 'refunds.pdf',
      path: '/refunds/{id}/pdf',
      summary: 'Get the voucher of a refund',
      description: `${KEPT_MONEY} It has a line on which whoever got the money signs.`,
      access: 'invoices.read',
      query: MoneyPaperQuery,
      handle: handle(refundPaper),
    }),
    read({
      ...common,
      id: 'accounts.of-guardian-pdf',
      path: '/guardians/{id}/account/pdf',
      summary: 'Get the account of a guardian, or of the family, as a paper',
      description: `${COMMON} It says what GET /guardians/{id}/account says, oldest first; with scope=family all children and all who pay stand on one paper.`,
      access: 'invoices.read',
      query: AccountPaperQuery,
      fails: [Merged, PapersWaiting, SumTooLarge],
      handle: (context) => orMerged(context, handle(guardianAccountPaper)),
    }),
    read({
      ...common,
      id: 'accounts.of-student-pdf',
      path: '/students/{id}/account/pdf',
      summary: 'Get the account of a student, or of the family, as a paper',
      description: `${COMMON} It says what GET /students/{id}/account says, oldest first; with scope=family all children and all who pay stand on one paper.`,
      access: 'invoices.read',
      query: AccountPaperQuery,
      fails: [Merged, PapersWaiting, SumTooLarge],
      handle: (context) => orMerged(context, handle(studentAccountPaper)),
    }),
    read({
      ...common,
      id: 'tills.pdf',
      path: '/tills/closes/{id}/pdf',
      summary: 'Get a close of a till as a paper',
      description: `${COMMON} It says what GET /tills/closes/{id} says, to be signed by who counted.`,
      access: 'payments.record',
      query: TillPaperQuery,
      handle: ({ params, query, ...asked }) =>
        tillPaper(asked, params.id, query)
          .then((draft) => readyPaper(deps, asked, draft))
          .then(paperContent),
    }),
    read({
      ...common,
      id: 'progress-reports.pdf',
      path: '/progress-reports/{id}/pdf',
      summary: 'Get a progress report as a paper',
      description: `${COMMON} A draft is marked as such. A student, and a guardian who sees the lessons, get one that was sent without the permission.`,
      access: 'reports.read',
      ownToo: true,
      flag: 'basic_reports',
      taughtToo: 'exams.write',
      query: LocaleQuery,
      handle: handle(reportPaper, ownReport),
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
