import type { ScopedDb } from '#kernel/contract/tables.ts'
import { unlinked } from '#shared/text.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { announcedOf } from '#modules/absences/index.ts'
import type { Correction } from '#modules/attendance/index.ts'
import { readReceipt, type ReceiptMail } from '#modules/billing/index.ts'
import { studentsOf, type JobEvent, type Occasion, type Notifier } from './occasion.ts'
import { findGuardians, findGuardiansOf, findStudents, type Found } from '../recipients/records.ts'
import { groupsById, invoiceLinesOf, invoicesById, openingBalancesOf, reportsById, sessionsById } from './records.ts'

/** An absence, a lateness or an excuse, for the student's guardians. */
export const notifyAbsences: Notifier<'student.absent'> = async ({ whole }, given) => {
  const announced = await announcedOf(
    whole,
    given.map(({ data }) => data.studentId),
  )
  // Nobody is told of what they announced; that the student came all the same, and late, they are.
  const events = given.filter(({ data }) => data.status === 'late' || !announced(data.studentId, data.occurredOn))
  const guardians = Map.groupBy(
    await findGuardiansOf(
      whole,
      events.map(({ data }) => data.studentId),
    ),
    ({ studentId }) => studentId,
  )
  const sessions = await sessionsById(
    whole,
    events.map(({ data }) => data.sessionId),
  )
  const groups = await groupsById(
    whole,
    events.map(({ data }) => data.groupId),
  )
  const occasions = events.flatMap(({ id, data }): Occasion[] => {
    const session = sessions.get(data.sessionId)
    const group = groups.get(data.groupId)
    if (!session || !group) return []
    const { studentId, sessionId, groupId, status } = data
    return [
      {
        sourceId: id,
        templateKey: 'student.absent',
        branchId: group.branch_id,
        payload: { studentId, sessionId, groupId },
        recipients: guardians.get(studentId) ?? [],
        values: (writing) => ({
          studentName: unlinked(studentsOf(writing)),
          status: writing.words.absence[status],
          groupName: unlinked(group.name),
          courseName: unlinked(group.course_name),
          date: writing.f.dayOf(session.scheduled_start),
          time: writing.f.time(session.scheduled_start),
        }),
      },
    ]
  })
  return { occasions, next: null }
}

/** By which ids messages to a person are kept: that of their account where they had one then, else that of their record. */
const recipientIds = ({ id, userId }: Found): string[] => (userId === null ? [id] : [id, userId])

/** Whoever was told of the student's absence from the session. */
const toldOfAbsence = async (whole: ScopedDb, { sessionId, studentId }: Correction): Promise<Found[]> => {
  const guardians = await findGuardiansOf(whole, [studentId])
  if (guardians.length === 0) return []
  const messages = await whole
    .selectFrom('notification')
    .select(['recipient_id', 'payload'])
    .where('recipient_id', 'in', guardians.flatMap(recipientIds))
    .where('template_key', '=', 'student.absent')
    .where('status', 'in', ['queued', 'sent'])
    .execute()
  const told = new Set(
    messages
      .filter(({ payload }) => payload['sessionId'] === sessionId && payload['studentId'] === studentId)
      .map((row) => row.recipient_id),
  )
  return guardians.filter((guardian) => recipientIds(guardian).some((id) => told.has(id)))
}

/** An absence that was entered by mistake, for those who were told of it. */
export const correctedAbsence = async (
  { whole }: Pick<Tx, 'whole'>,
  correction: Correction,
): Promise<Occasion | undefined> => {
  const { noticeId, sessionId, studentId, is } = correction
  const session = (await sessionsById(whole, [sessionId])).get(sessionId)
  const group = session && (await groupsById(whole, [session.group_id])).get(session.group_id)
  if (!group) return undefined
  return {
    sourceId: noticeId,
    templateKey: 'attendance.corrected',
    branchId: group.branch_id,
    payload: { studentId, sessionId, groupId: group.id },
    recipients: await toldOfAbsence(whole, correction),
    values: (writing) => ({
      studentName: unlinked(studentsOf(writing)),
      groupName: unlinked(group.name),
      courseName: unlinked(group.course_name),
      date: writing.f.dayOf(session.scheduled_start),
      time: writing.f.time(session.scheduled_start),
      correction: writing.words.corrected[is],
    }),
  }
}

export const notifyReports: Notifier<'progress_report.sent'> = async ({ whole }, events) => {
  const students = await studentsAndGuardians(
    whole,
    events.map(({ data }) => data.studentId),
  )
  const reports = await reportsById(
    whole,
    events.map(({ data }) => data.progressReportId),
  )
  const occasions = events.flatMap(({ id, data: { progressReportId, studentId } }): Occasion[] => {
    const report = reports.get(progressReportId)
    const recipients = students.get(studentId)
    if (!report || !recipients) return []
    return [
      {
        sourceId: id,
        templateKey: 'progress_report.sent',
        branchId: recipients[0]?.branchId ?? null,
        payload: { progressReportId, studentId },
        recipients,
        values: (writing) => ({
          studentName: unlinked(studentsOf(writing)),
          periodStart: writing.f.date(report.period_start),
          periodEnd: writing.f.date(report.period_end),
        }),
      },
    ]
  })
  return { occasions, next: null }
}

/** Each student with their guardians, the student first. */
export const studentsAndGuardians = async (whole: ScopedDb, ids: readonly string[]): Promise<Map<string, Found[]>> => {
  const all = new Map((await findStudents(whole, ids)).map((student) => [student.id, [student]]))
  for (const guardian of await findGuardiansOf(whole, ids)) all.get(guardian.studentId)?.push(guardian)
  return all
}

/** Who gets the messages about an issued invoice: who pays it since then, else the student. */
export const payersOf = async (
  whole: ScopedDb,
  invoices: readonly { id: string; student_id: string; payer_guardian_id: string | null }[],
): Promise<Map<string, Found>> => {
  const studentIds = [...new Set(invoices.map(({ student_id: id }) => id))]
  const students = new Map((await findStudents(whole, studentIds)).map((student) => [student.id, student]))
  // Who pays it need not be a guardian of the student any more.
  const keptIds = [...new Set(invoices.flatMap(({ payer_guardian_id: id }) => id ?? []))]
  const guardians = new Map((await findGuardians(whole, keptIds)).map((guardian) => [guardian.id, guardian]))
  const payers = new Map<string, Found>()
  for (const { id, student_id: studentId, payer_guardian_id: kept } of invoices) {
    const student = students.get(studentId)
    const payer = kept === null ? student : guardians.get(kept)
    if (payer && student) payers.set(id, { ...payer, branchId: student.branchId, students: student.students })
  }
  return payers
}

/** An invoice may have hundreds of lines; a mail names the first. */
const MOST_LINES = 10

/** What is charged for, a line each. */
const readLines = async (whole: ScopedDb, invoiceIds: readonly string[]): Promise<(invoiceId: string) => string> => {
  const lines = Map.groupBy(await invoiceLinesOf(whole, invoiceIds), (line) => line.invoice_id)
  return (invoiceId) => {
    const named = (lines.get(invoiceId) ?? []).map(({ description }) => unlinked(description))
    return [...named.slice(0, MOST_LINES), ...(named.length > MOST_LINES ? ['…'] : [])].join('\n')
  }
}

type InvoiceEvent = 'invoice.issued' | 'invoice.overdue' | 'invoice.reminder_requested'

const notifyInvoices =
  <T extends InvoiceEvent>(templateKey: T): Notifier<T> =>
  async ({ whole, tenant, payLinks }, events) => {
    const all = events as readonly JobEvent<InvoiceEvent>[]
    const invoices = await invoicesById(
      whole,
      all.map(({ data }) => data.invoiceId),
    )
    const payers = await payersOf(whole, [...invoices.values()])
    const linesOf = await readLines(whole, [...invoices.keys()])
    const linkTo = await payLinks(whole, tenant)
    const occasions = all.flatMap(({ id, data }): Occasion[] => {
      const payer = payers.get(data.invoiceId)
      const invoice = invoices.get(data.invoiceId)
      if (!payer || !invoice) return []
      const paidMinor = 'paidMinor' in data ? data.paidMinor : 0
      const { invoiceId, studentId, totalMinor, currency } = data
      return [
        {
          sourceId: id,
          templateKey,
          branchId: invoice.branch_id,
          payload: { invoiceId, studentId },
          recipients: [payer],
          values: (writing) => ({
            studentName: unlinked(studentsOf(writing)),
            invoiceNumber: data.number,
            lines: linesOf(invoiceId),
            total: writing.f.amount(totalMinor, currency),
            paid: writing.f.amount(paidMinor, currency),
            balance: writing.f.amount(totalMinor - paidMinor, currency),
            dueDate: writing.f.date(data.dueDate),
            payOnline: linkTo && totalMinor > paidMinor ? `${writing.words.payByCard} ${linkTo(invoiceId)}` : '',
            footer: invoice.footer ?? '',
          }),
        },
      ]
    })
    return { occasions, next: null }
  }

/**
 * An opening balance is a debt from before the institute came here: nothing about it is new to a family, and hundreds come
 * in at once. Staff remind of it when they want to.
 */
const exceptOpeningBalances =
  <T extends InvoiceEvent>(notifier: Notifier<T>): Notifier<T> =>
  async (context, events) => {
    const all = events as readonly JobEvent<InvoiceEvent>[]
    const balances = await openingBalancesOf(context.whole, [...new Set(all.map(({ data }) => data.studentId))])
    const opening = new Set(balances.map(({ id }) => id))
    return notifier(
      context,
      events.filter((_, at) => !opening.has((all[at] as JobEvent<InvoiceEvent>).data.invoiceId)),
    )
  }

export const notifyIssued = exceptOpeningBalances(notifyInvoices('invoice.issued'))
export const notifyOverdue = exceptOpeningBalances(notifyInvoices('invoice.overdue'))
export const notifyReminders = notifyInvoices('invoice.reminder_requested')

/** A receipt for whom it is made out to. */
export const mailedReceipt = async (
  { whole }: Pick<Tx, 'whole'>,
  { noticeId, receiptId, to }: ReceiptMail,
): Promise<Occasion | undefined> => {
  const [person] = await (to.kind === 'guardian' ? findGuardians(whole, [to.id]) : findStudents(whole, [to.id]))
  // Their record was deleted meanwhile.
  if (!person) return undefined
  const { number, amount, receivedAt } = await readReceipt(whole, receiptId)
  return {
    sourceId: noticeId,
    templateKey: 'receipt.sent',
    branchId: person.branchId,
    payload: { receiptId },
    recipients: [person],
    channels: ['email'],
    values: ({ f }) => ({
      receiptNumber: number,
      amount: f.amount(amount.amountMinor, amount.currency),
      date: f.dayOf(receivedAt),
    }),
  }
}
