import { deepEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import type { Reply } from '#kit/client.ts'
import type { TestInstitute } from '#kit/institute.ts'
import { newPhone } from '../examples/people.ts'
import { Books } from './books.ts'

const amount = fc.integer({ min: 1, max: 1000 })
const nth = fc.nat(20)
export const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('invoice' as const), who: fc.nat(2), amount }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('void' as const), nth }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      who: fc.nat(2),
      share: fc.integer({ min: 1, max: 3 }),
      ahead: fc.oneof(fc.constant(0), amount),
      byFather: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('ahead' as const), who: fc.nat(2), amount }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('apply' as const), who: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reverse' as const), nth }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reverse-one' as const), nth }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('credit-note' as const), nth, share: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refund' as const), who: fc.nat(2), amount }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('setting' as const), isOn: fc.boolean() }) },
)
export type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

/** Two children of a mother, who pays, and a father; and a student alone. */
interface Family {
  school: TestInstitute
  mother: string
  father: string
  students: [string, string, string]
}

export const familyOf = async (school: TestInstitute): Promise<Family> => {
  const { owner, branchId } = school
  const parent = async (firstName: string): Promise<string> =>
    (await owner.post('/guardians', { firstName, lastName: 'Levi', phone: newPhone() })).body.id
  const student = async (): Promise<string> =>
    (await owner.post('/students', { branchId, firstName: 'Dana', lastName: 'Levi' })).body.id
  const [mother, father] = [await parent('Ruth'), await parent('Dan')]
  const students: Family['students'] = [await student(), await student(), await student()]
  for (const id of students.slice(0, 2)) {
    for (const guardianId of [mother, father]) {
      const link = { guardianId, relationship: 'other', isPrimary: false, isPayer: guardianId === mother }
      await owner.post(`/students/${id}/guardians`, link)
    }
  }
  return { school, mother, father, students }
}

/** One history, played over HTTP beside the second books. */
export class Play {
  readonly books = new Books()
  readonly #family: Family
  /** In the order in which they were paid. */
  readonly #payments: { id: string; receipt: string; at: number }[] = []
  #applies = true

  constructor(family: Family) {
    this.#family = family
  }

  /** Who pays for a student. */
  payerOf(who: number): string {
    return who < 2 ? this.#family.mother : this.#family.students[2]
  }

  #open(who: number) {
    const student = this.#family.students[who]
    return [...this.books.invoices].filter(
      ([id, invoice]) => invoice.student === student && invoice.state === 'issued' && this.books.owed(id) > 0,
    )
  }

  #post(path: string, body: object): Promise<Reply> {
    return this.#family.school.owner.post(path, body)
  }

  async step(one: Act): Promise<void> {
    const { books } = this
    const { students, mother, father } = this.#family
    const payment = { currency: 'ILS', method: 'cash' }
    switch (one.kind) {
      case 'setting': {
        this.#applies = one.isOn
        await this.#family.school.owner.patch('/settings', { applyCredit: one.isOn })
        return
      }
      case 'invoice': {
        const lines = [{ description: 'Fee', unitAmountMinor: one.amount }]
        const studentId = students[one.who] as string
        const { body } = await this.#post('/invoices', { studentId, lines, dueDate: '2026-03-20' })
        books.draft(body.id, studentId, one.amount)
        equal((await this.#post(`/invoices/${body.id}/issue`, {})).status, 200)
        books.issue(body.id, this.payerOf(one.who), this.#applies)
        return
      }
      case 'void': {
        const id = [...books.invoices.keys()][one.nth]
        if (id === undefined) return
        const refused = books.isPaid(id) || books.invoices.get(id)?.state === 'void'
        equal((await this.#post(`/invoices/${id}/void`, { reason: 'Twice' })).status, refused ? 409 : 200)
        if (!refused) books.void(id)
        return
      }
      case 'pay': {
        const parts = this.#open(one.who).map(([invoice]) => ({
          invoice,
          amount: Math.ceil(books.owed(invoice) / one.share),
        }))
        if (parts.length === 0) return
        const isFathers = one.byFather && one.who < 2
        const holder = isFathers ? father : this.payerOf(one.who)
        const { status, body } = await this.#post('/payments', {
          ...payment,
          allocations: parts.map((part) => ({ invoiceId: part.invoice, amountMinor: part.amount })),
          amountMinor: parts.reduce((sum, part) => sum + part.amount, one.ahead),
          ...(isFathers && { paidBy: { guardianId: father } }),
        })
        equal(status, 201)
        const id: string = body.id
        books.receive(id, parts, one.ahead > 0 ? { holder, amount: one.ahead } : null)
        for (const [at, { id: paymentId }] of body.payments.entries()) {
          this.#payments.push({ id: paymentId, receipt: id, at })
        }
        return
      }
      case 'ahead': {
        const holder = [mother, father, students[2]][one.who] as string
        const paidBy = one.who < 2 ? { guardianId: holder } : { studentId: holder }
        const { body } = await this.#post('/payments', { ...payment, amountMinor: one.amount, paidBy })
        books.receive(body.id, [], { holder, amount: one.amount })
        return
      }
      case 'apply': {
        const holder = [mother, father, students[2]][one.who] as string
        const { status, body } = await this.#post(
          '/accounts/apply',
          one.who < 2 ? { guardianId: holder } : { studentId: holder },
        )
        equal(status, books.credit(holder) === 0 ? 409 : 200)
        if (status !== 200) return
        // All fall due on one day: the first that was made is paid first.
        let left = books.credit(holder)
        for (const [id, invoice] of [...books.invoices].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
          if (invoice.payer !== holder || invoice.state !== 'issued') continue
          const part = Math.min(left, books.owed(id))
          books.apply(holder, id, part)
          left -= part
        }
        equal(body.credit.amountMinor, left)
        return
      }
      case 'credit-note': {
        const id = [...books.invoices.keys()][one.nth]
        const invoice = id === undefined ? undefined : books.invoices.get(id)
        if (id === undefined || !invoice) return
        const amountMinor = Math.ceil(invoice.total / one.share)
        const { status } = await this.#post(`/invoices/${id}/credit-notes`, { amountMinor, reason: 'Came late' })
        const isAbove = amountMinor > invoice.total - invoice.credited
        equal(status, invoice.state === 'void' ? 409 : isAbove ? 422 : 201)
        if (status === 201) books.creditNote(id, amountMinor)
        return
      }
      case 'refund': {
        const holder = [mother, father, students[2]][one.who] as string
        const { status } = await this.#post('/refunds', {
          ...(one.who < 2 ? { guardianId: holder } : { studentId: holder }),
          amountMinor: one.amount,
          method: 'cash',
          reason: 'Moves away',
        })
        const credit = books.credit(holder)
        equal(status, credit === 0 ? 409 : one.amount > credit ? 422 : 201)
        if (status === 201) books.refund(holder, one.amount)
        return
      }
      case 'reverse': {
        const id = [...books.receipts.keys()][one.nth]
        if (id === undefined) return
        const { status } = await this.#post(`/receipts/${id}/reverse`, { reason: 'Bounced' })
        equal(status, books.reverse(id) ? 200 : 409)
        return
      }
      default: {
        const paid = this.#payments[one.nth]
        if (!paid) return
        const part = books.receipts.get(paid.receipt)?.parts[paid.at]
        const { status } = await this.#post(`/payments/${paid.id}/reverse`, { reason: 'Wrong' })
        equal(status, part?.isReversed ? 409 : 201)
        if (part && !part.isReversed) books.reversePart(part)
      }
    }
  }

  /** Reads everything that the program says, and compares it with the books. */
  async compare(): Promise<void> {
    const { books } = this
    const { school, mother, father, students } = this.#family
    const read = async (path: string) => (await school.owner.get(path)).body
    equal(books.closes(), true)
    for (const [id, { credited }] of books.invoices) {
      const { balance, paid, credited: taken, status } = await read(`/invoices/${id}`)
      const owed = books.owed(id)
      deepEqual([id, balance.amountMinor], [id, owed])
      if (status !== 'void') deepEqual([paid.amountMinor, taken.amountMinor], [books.paid(id), credited])
    }
    const owedBy = (isTheirs: (invoice: { student: string; payer: string }) => boolean) =>
      [...books.invoices].reduce((sum, [id, invoice]) => (isTheirs(invoice) ? sum + books.owed(id) : sum), 0)
    const accounts = [
      [`guardians/${mother}`, owedBy(({ payer }) => payer === mother), books.credit(mother)],
      [`guardians/${father}`, 0, books.credit(father)],
      [`students/${students[2]}`, owedBy(({ student }) => student === students[2]), books.credit(students[2])],
      [`students/${students[0]}`, owedBy(({ student }) => student === students[0]), 0],
      [
        `guardians/${father}?scope=family`,
        owedBy(({ payer }) => payer === mother),
        books.credit(mother) + books.credit(father),
      ],
    ] as const
    for (const [path, owed, credit] of accounts) {
      const [of, query = ''] = path.split('?')
      const account = await read(`/${of}/account?limit=100&${query}`)
      deepEqual([path, account.owed.amountMinor, account.credit.amountMinor], [path, owed, credit])
      equal(account.balance.amountMinor, owed - credit)
      // The newest entry closes at the balance, whatever comes before it.
      equal(account.entries.data[0]?.balance.amountMinor ?? 0, owed - credit)
    }
    for (const studentId of students) {
      const { closingBalance } = await read(`/students/${studentId}/statement`)
      equal(
        closingBalance.amountMinor,
        owedBy(({ student }) => student === studentId),
      )
    }
    const summary = await read('/billing/summary')
    equal(
      summary.outstanding.amountMinor,
      owedBy(() => true),
    )
    equal(summary.collectedThisMonth.amountMinor, books.till)
  }
}
