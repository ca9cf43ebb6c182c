import { inPart } from '#kernel/values/parts.ts'
import { createInvoice, issueInvoice, unreachedOf, type InvoiceDetail } from '#modules/billing/index.ts'
import { enroll, sinceNow, type Enrollment } from '#modules/groups/index.ts'
import { closeLead, lockOpenLead } from '#modules/leads/index.ts'
import {
  addFamily,
  changeStatus,
  changeStudent,
  readLink,
  studentRecord,
  type FamilyPart,
} from '#modules/people/index.ts'
import { lockCurrency } from '#modules/tenants/index.ts'
import type { FindUnreached } from '#runtime/queue/reached.ts'
import { readRecord } from '#runtime/records/records.ts'
import { presentIds, readGroups, type Asked } from './asked.ts'
import { planBills, type Bill } from './bills.ts'
import { familyOf, fieldsOf } from './family.ts'
import type { FirstInvoice, RegisteredStudent, Registration } from './schemas.ts'

/** Says of a refusal which part of the body the family's part is. */
const partOf = (asked: Asked) => {
  const present = presentIds(asked)
  const ofGuardian = { guardian_phone_taken: 'phone', not_found: 'id' }
  const ofStudent = (at: number) => ({
    student_number_taken: 'studentNumber',
    not_found: present[at] === null ? 'branchId' : 'id',
  })
  return <T>([kind, at]: FamilyPart, work: () => Promise<T>): Promise<T> =>
    kind === 'guardian'
      ? inPart(['guardian'], work, ofGuardian)
      : inPart(['students', at], work, kind === 'student' ? ofStudent(at) : {})
}

/**
 * Makes a student active who was there already; who is paused stays it. What is said of the student whom a lead has
 * already is taken.
 */
const settlePresent = async (asked: Asked, at: number, { id, isOfLead }: { id: string; isOfLead: boolean }) => {
  const { tx, caller, body } = asked
  const { studentNumber: _, ...changes } = fieldsOf(body.students[at] as RegisteredStudent)
  await inPart(['students', at], async () => {
    const hasChanges = Object.values(changes).some((value) => value !== undefined)
    if (isOfLead && hasChanges) await changeStudent(tx, caller, { ...changes, id })
    const { status } = await readRecord(tx.db, studentRecord, id)
    if (status !== 'active' && status !== 'paused') await changeStatus(tx, id, { status: 'active' })
  })
}

/** Enrolls in the order of the groups' ids: of two requests that lock several, none waits for the other's second. */
const enrollAll = async ({ body, within }: Asked, studentIds: readonly string[]): Promise<Enrollment[][]> => {
  const made: Enrollment[][] = studentIds.map(() => [])
  const all = body.students.flatMap(({ groups }, at) => groups.map((group, nth) => ({ group, at, nth })))
  for (const { group, at, nth } of all.toSorted((one, other) => (one.group.groupId < other.group.groupId ? -1 : 1))) {
    const studentId = studentIds[at] as string
    const work = async () => {
      const tx = within('enrollments.write')
      return enroll(tx, { ...group, ...(await sinceNow(tx, group.groupId, group.enrolledAt)), studentId })
    }
    const path = ['students', at, 'groups', nth]
    const fields = {
      not_found: 'groupId',
      cannot_enroll: 'groupId',
      already_enrolled: 'groupId',
      group_full: 'groupId',
    }
    const ofStudent = made[at] as Enrollment[]
    ofStudent[nth] = await inPart(path, work, fields)
  }
  return made
}

const shown = ({ lines, ...invoice }: InvoiceDetail, bill: Bill): FirstInvoice => ({
  id: invoice.id,
  number: invoice.number,
  dueDate: invoice.dueDate,
  subtotal: invoice.subtotal,
  discount: invoice.discount,
  tax: invoice.tax,
  total: invoice.total,
  lines: lines.map(({ id: _id, enrollmentId: _enrollment, courseEnrollmentId: _access, ...line }, nth) => ({
    ...line,
    groupId: bill.lines[nth]?.groupId ?? null,
  })),
  unreached: null,
})

const invoiceAll = async (
  { body, within }: Asked,
  { bills, studentIds, enrollments }: { bills: Bill[][]; studentIds: readonly string[]; enrollments: Enrollment[][] },
): Promise<FirstInvoice[][]> => {
  const made: FirstInvoice[][] = studentIds.map(() => [])
  if (body.invoice === 'none') return made
  const tx = within('invoices.write')
  for (const [at, studentId] of studentIds.entries()) {
    for (const bill of bills[at] ?? []) {
      const lines = bill.lines.map(({ groupId, feeScheduleId, ...line }) => {
        const enrollment = enrollments[at]?.find((one) => one.groupId === groupId)
        return { ...line, ...(feeScheduleId && { feeScheduleId }), ...(enrollment && { enrollmentId: enrollment.id }) }
      })
      const { dueDate } = body
      const draft = { studentId, currency: bill.currency, lines, ...(dueDate !== undefined && { dueDate }) }
      const invoice = await inPart(['students', at], () => createInvoice(tx, draft), { not_found: 'lines' })
      const isIssued = body.invoice === 'issue'
      ;(made[at] as FirstInvoice[]).push(shown(isIssued ? await issueInvoice(tx, invoice.id) : invoice, bill))
    }
  }
  return made
}

/** The places of the groups, as they were before. */
export const seatsOf = ({ groups }: Asked): Registration['groups'] =>
  [...groups.values()].map(({ id: groupId, capacity, enrolledCount }) => ({ groupId, capacity, enrolledCount }))

/**
 * Makes all that is asked for.
 * @throws what the functions throw that make the parts, each with its path in the body
 */
export const register = async (asked: Asked): Promise<Registration> => {
  const { body, tx, caller, within } = asked
  const { leadId } = body
  const isInvoiced = body.invoice !== 'none' && (await planBills(asked, presentIds(asked))).some((of) => of.length > 0)
  // The institute is locked before students.
  if (isInvoiced) await lockCurrency(tx)
  const locked = leadId ? await inPart(['leadId'], () => lockOpenLead(within('leads.write'), leadId)) : null
  const family = familyOf(asked, locked)
  const reach = {
    students: tx,
    get guardians() {
      return within('guardians.write')
    },
  }
  const { guardians, studentIds } = await addFamily(reach, family, { caller, inPart: partOf(asked) })
  const present = presentIds({ body, lead: locked })
  for (const [at, id] of present.entries()) {
    const isOfLead = at === 0 && locked !== null && locked.student_id === id
    if (id !== null) await settlePresent(asked, at, { id, isOfLead })
  }
  const guardian = guardians[0] ?? null
  const [studentId = ''] = studentIds
  if (locked) await closeLead(within('leads.write'), locked, { studentId, guardianId: guardian?.id ?? null })
  const enrollments = await enrollAll(asked, studentIds)
  // Planned again, now that nobody else charges students who were there, or changes what the groups cost.
  const bills = isInvoiced ? await planBills({ ...asked, groups: await readGroups(asked) }, present) : []
  const invoices = await invoiceAll(asked, { bills, studentIds, enrollments })
  const students = []
  for (const [at, id] of studentIds.entries()) {
    students.push({
      student: await readRecord(tx.db, studentRecord, id),
      isNew: present[at] === null,
      link: guardian && (await readLink(tx, id, guardian.id)),
      knownStudents: [],
      enrollments: enrollments[at] ?? [],
      invoices: invoices[at] ?? [],
    })
  }
  return { dryRun: false, guardian, knownGuardians: [], students, groups: seatsOf(asked), refusal: null }
}

/** Registers, and says of the invoices that were issued whom the message about them does not reach. @throws as register */
export const registerAndSay = async (asked: Asked, findUnreached: FindUnreached): Promise<Registration> => {
  const done = await register(asked)
  if (asked.body.invoice !== 'issue') return done
  const ids = done.students.flatMap(({ invoices }) => invoices.flatMap(({ id }) => id ?? []))
  const unreached = await unreachedOf(findUnreached, asked.tx, { text: 'invoice.issued', ids })
  const of = new Map(unreached.map((one) => [one.invoiceId, one]))
  return {
    ...done,
    students: done.students.map((student) => ({
      ...student,
      invoices: student.invoices.map((invoice) => ({ ...invoice, unreached: of.get(invoice.id ?? '') ?? null })),
    })),
  }
}
