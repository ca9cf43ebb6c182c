import { answer, api, type Schemas } from '../../api/client.ts'
import { isAnswered, type IntentHeader } from '../../api/intents/intent.ts'
import { Problem } from '../../api/problem.ts'
import { randomName } from '../../api/random.ts'
import { plainDigits } from '../../../kernel/typed.ts'
import { charged } from './first-invoice.ts'
import type { Typed } from './typed.ts'

/** The parts of a registration, in the order in which they are saved. */
export const PARTS = ['guardian', 'student', 'link', 'group', 'invoice'] as const
export type Part = (typeof PARTS)[number]

/** What went wrong, and with which part: those before it are saved. */
export class PartFailed extends Error {
  readonly part: Part
  readonly problem: Problem

  constructor(part: Part, problem: Problem) {
    super(part)
    this.part = part
    this.problem = problem
  }
}

/**
 * Sends requests that belong together, each of which takes effect once: whatever was answered is not sent again, and what
 * was not answered is sent again under its own name.
 */
export class Saving {
  readonly #names = new Map<string, string>()
  readonly #replies = new Map<string, unknown>()

  async once<T>(what: string, send: (header: IntentHeader) => Promise<T>): Promise<T> {
    if (this.#replies.has(what)) return this.#replies.get(what) as T
    const name = this.#names.get(what) ?? randomName()
    this.#names.set(what, name)
    try {
      const reply = await send({ 'Idempotency-Key': name })
      this.#replies.set(what, reply)
      return reply
    } catch (error) {
      if (isAnswered(error)) this.#names.delete(what)
      throw error
    }
  }
}

/** What is saved so far. */
export interface Saved {
  guardian?: { id: string; name: string }
  student?: Pick<Schemas['Student'], 'id' | 'fullName' | 'studentNumber'>
  isLinked?: boolean
  group?: { enrollmentId: string; name: string }
  invoice?: Pick<Schemas['InvoiceDetail'], 'id' | 'number' | 'total' | 'dueDate'>
}

interface Registering {
  typed: Typed
  lead: Schemas['Lead'] | undefined
  saving: Saving
  /** Called as soon as a part is saved. */
  tell: (saved: Saved) => void
}

const orNull = (text: string): string | null => text.trim() || null

/** The fields of the student beside the name. */
const detailsOf = ({ student }: Typed) => ({
  firstName: student.firstName,
  lastName: student.lastName,
  birthDate: student.birthDate,
  nationalId: orNull(plainDigits(student.nationalId)),
  phone: orNull(plainDigits(student.phone)),
  ...(student.branchId !== null && { branchId: student.branchId }),
})

const saveGuardian = async ({ typed, saving, tell }: Registering): Promise<void> => {
  const { guardian, known, isWithoutGuardian } = typed
  if (isWithoutGuardian || known?.id === null) return
  if (known) return tell({ guardian: { id: known.id, name: known.name } })
  const { firstName, lastName, locale } = guardian
  const body = { firstName, lastName, preferredLocale: locale }
  const reach = { phone: plainDigits(guardian.phone), email: orNull(guardian.email) }
  const saved = await saving.once('guardian', (header) =>
    answer(api.POST('/guardians', { params: { header }, body: { ...body, ...reach } })),
  )
  tell({ guardian: { id: saved.id, name: `${saved.firstName} ${saved.lastName}` } })
}

/** A lead becomes an active student; anybody else is added, and made active. */
const saveStudent = async ({ typed, lead, saving, tell }: Registering): Promise<string> => {
  const { branchId } = typed.student
  if (!lead && branchId !== null) {
    const added = await saving.once('student', (header) =>
      answer(api.POST('/students', { params: { header }, body: { ...detailsOf(typed), branchId } })),
    )
    tell({ student: added })
    const path = { id: added.id }
    await saving.once('active', (header) =>
      answer(api.POST('/students/{id}/status', { params: { path, header }, body: { status: 'active' } })),
    )
    return added.id
  }
  if (!lead) throw new Problem(404)
  const converted = await saving.once('student', (header) =>
    answer(api.POST('/leads/{id}/convert', { params: { path: { id: lead.id }, header } })),
  )
  // What the page leaves open stays: a registration on the website may have said it.
  const said = Object.fromEntries(Object.entries(detailsOf(typed)).filter(([, value]) => value !== null))
  const path = { id: converted.id }
  const { fullName } = await saving.once('details', (header) =>
    answer(api.PATCH('/students/{id}', { params: { path, header }, body: said })),
  )
  tell({ student: { ...converted, fullName } })
  return converted.id
}

const saveLink = async ({ typed, lead, saving, tell }: Registering, studentId: string, guardianId?: string) => {
  const { relationship, known, isWithoutGuardian } = typed
  if (isWithoutGuardian || relationship === null) return
  const marks = { relationship, isPrimary: true, isPayer: true }
  if (guardianId !== undefined) {
    const path = { id: studentId }
    await saving.once('link', (header) =>
      answer(api.POST('/students/{id}/guardians', { params: { path, header }, body: { guardianId, ...marks } })),
    )
  } else if (lead && known) {
    // The conversion has linked them, as a guardian of no closer kind.
    const { guardianId: linked } = await saving.once('lead', () =>
      answer(api.GET('/leads/{id}', { params: { path: { id: lead.id } } })),
    )
    if (linked === null) return
    const path = { id: studentId, guardianId: linked }
    await saving.once('link', (header) =>
      answer(api.PATCH('/students/{id}/guardians/{guardianId}', { params: { path, header }, body: marks })),
    )
    tell({ guardian: { id: linked, name: known.name } })
  }
  tell({ isLinked: true })
}

const saveGroup = async ({ typed, saving, tell }: Registering, studentId: string): Promise<string | undefined> => {
  const { group } = typed
  if (!group) return undefined
  const { id } = await saving.once('group', (header) =>
    answer(api.POST('/enrollments', { params: { header }, body: { studentId, groupId: group.id } })),
  )
  tell({ group: { enrollmentId: id, name: group.name } })
  return id
}

const saveInvoice = async ({ typed, saving, tell }: Registering, studentId: string, enrollmentId: string) => {
  const lines = charged(typed.lines).map(({ description, amountMinor, feeScheduleId, isOfGroup }) => ({
    description,
    unitAmountMinor: amountMinor,
    ...(feeScheduleId !== null && { feeScheduleId }),
    ...(isOfGroup && { enrollmentId }),
  }))
  if (lines.length === 0 || !typed.group) return
  const { currency } = typed.group
  const draft = await saving.once('invoice', (header) =>
    answer(api.POST('/invoices', { params: { header }, body: { studentId, lines, currency } })),
  )
  const invoice = await saving.once('issue', (header) =>
    answer(api.POST('/invoices/{id}/issue', { params: { path: { id: draft.id }, header } })),
  )
  tell({ invoice })
}

/** Registers one student, part by part. Called again, it goes on where it stopped. @throws PartFailed */
export const register = async (registering: Registering): Promise<void> => {
  const saved: Saved = {}
  const all = {
    ...registering,
    tell: (more: Saved) => {
      Object.assign(saved, more)
      registering.tell(more)
    },
  }
  const part = async <T>(name: Part, save: () => Promise<T>): Promise<T> => {
    try {
      return await save()
    } catch (problem) {
      throw new PartFailed(name, problem as Problem)
    }
  }
  await part('guardian', () => saveGuardian(all))
  const studentId = await part('student', () => saveStudent(all))
  await part('link', () => saveLink(all, studentId, saved.guardian?.id))
  const enrollmentId = await part('group', () => saveGroup(all, studentId))
  if (enrollmentId !== undefined) await part('invoice', () => saveInvoice(all, studentId, enrollmentId))
}
