import { deepEqual, equal } from 'node:assert/strict'
import { sweepChequesJob } from '#modules/billing/cheques/due.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import type { TestApp } from '#kit/app.ts'
import type { Reply } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { Books } from './books.ts'
import type { Act } from './books-acts.ts'
import { AMOUNT, familyOf, MONTHS, PERCENT, PRICE, type Family } from './books-family.ts'

/** The days of a history. */
export interface Calendar {
  /** When invoices fall due that are made by hand. */
  due: string
  /** Those that can be billed. */
  months: readonly string[]
  /** The date so many days after the first one. */
  dateOf(days: number): string
}

const OF_MARCH: Calendar = {
  due: '2026-03-20',
  months: MONTHS,
  dateOf: (days) => new Date(Date.UTC(2026, 2, 2 + days)).toISOString().slice(0, 'YYYY-MM-DD'.length),
}

/** One history, played over HTTP beside the second books. */
export class Play {
  readonly books = new Books()
  readonly #nextDay: () => Promise<number>
  readonly #calendar: Calendar
  /** Days since the first one. */
  #day = 0
  #number = 0
  readonly family: Family
  /** In the order in which they were paid. */
  readonly #payments: { id: string; receipt: string; at: number }[] = []
  #applies = true

  /** @param nextDay goes on to the next day and lets the sweeps run; returns which day it is then, counted from 0 */
  constructor(family: Family, nextDay: () => Promise<number>, calendar = OF_MARCH) {
    this.family = family
    this.#nextDay = nextDay
    this.#calendar = calendar
  }

  /** Who pays for a student. */
  payerOf(who: number): string {
    return who < 2 ? this.family.mother : this.family.students[2]
  }

  #open(who: number) {
    const student = this.family.students[who]
    return [...this.books.invoices].filter(
      ([id, invoice]) => invoice.student === student && invoice.state === 'issued' && this.books.owed(id) > 0,
    )
  }

  #post(path: string, body: object): Promise<Reply> {
    return this.family.school.owner.post(path, body)
  }

  #takenOff(student: string): { percent: number; amount: number } {
    const at = this.family.students.indexOf(student)
    return { percent: at === 0 ? PERCENT : 0, amount: at < 2 ? AMOUNT : 0 }
  }

  async #issue(id: string, who: number): Promise<void> {
    equal((await this.#post(`/invoices/${id}/issue`, {})).status, 200)
    this.books.issue(id, this.payerOf(who), this.#applies)
  }

  async step(one: Act): Promise<void> {
    const { books } = this
    const { students, mother, father } = this.family
    const payment = { currency: 'ILS', method: 'cash' }
    switch (one.kind) {
      case 'setting': {
        this.#applies = one.isOn
        await this.family.school.owner.patch('/settings', { applyCredit: one.isOn })
        return
      }
      case 'invoice': {
        const discountMinor = Math.min(one.off, one.amount - 1)
        const lines = [{ description: 'Fee', unitAmountMinor: one.amount, discountMinor }]
        const student = students[one.who] as string
        const { body } = await this.#post('/invoices', { studentId: student, lines, dueDate: this.#calendar.due })
        books.draft(body.id, { student, total: one.amount - discountMinor, due: this.#calendar.due })
        await this.#issue(body.id, one.who)
        return
      }
      case 'run': {
        const month = this.#calendar.months[one.month] as string
        const feeScheduleIds = [this.family.feeScheduleId]
        const { status, body } = await this.#post('/billing/runs', { month, feeScheduleIds })
        equal(status, 201)
        const made = body.invoices as {
          id: string
          studentId: string
          total: { amountMinor: number }
          dueDate: string
        }[]
        deepEqual(
          made.map(({ studentId, total }) => [studentId, total.amountMinor]).toSorted(),
          books
            .unbilled(month, students)
            .map((student) => [student, Books.charge(PRICE, this.#takenOff(student))])
            .toSorted(),
        )
        for (const { id, studentId: student, total, dueDate: due } of made) {
          books.draft(id, { student, total: total.amountMinor, due })
          books.charged(month, student, id)
        }
        if (!one.isVoided) {
          for (const { id, studentId } of made) await this.#issue(id, students.indexOf(studentId))
          return
        }
        const { status: voided } = await this.#post(`/billing/runs/${body.id}/void`, { reason: 'At a wrong price' })
        equal(voided, 200)
        for (const { id } of made) books.void(id)
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
        let left = books.credit(holder)
        for (const [id, invoice] of books.firstDue()) {
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
      case 'cheque': {
        const parts = this.#open(one.who).flatMap(([invoice]) => {
          const amount = Math.ceil((books.owed(invoice) - books.held(invoice)) / one.share)
          return amount > 0 ? [{ invoice, amount }] : []
        })
        const amount = parts.reduce((sum, part) => sum + part.amount, one.ahead)
        if (amount === 0) return
        const holder = this.payerOf(one.who)
        const day = this.#day + one.days
        this.#number += 1
        const written = {
          bank: '12',
          branch: '1',
          account: this.family.account,
          number: String(this.#number),
          amountMinor: amount,
        }
        const { status, body } = await this.#post('/cheques', {
          currency: 'ILS',
          paidBy: one.who < 2 ? { guardianId: holder } : { studentId: holder },
          cheques: [{ ...written, dueOn: this.#calendar.dateOf(day) }],
          allocations: parts.map((part) => ({ invoiceId: part.invoice, amountMinor: part.amount })),
        })
        equal(status, 201)
        books.hold(body.cheques[0].id, { holder, amount, day, meant: parts })
        if (one.days === 0) books.fallsDue(body.cheques[0].id, this.#applies)
        return
      }
      case 'day': {
        this.#day = await this.#nextDay()
        const due = [...books.cheques].filter(([, cheque]) => cheque.state === 'held' && cheque.day <= this.#day)
        for (const [id] of due.toSorted(([a], [b]) => (a < b ? -1 : 1))) books.fallsDue(id, this.#applies)
        return
      }
      case 'bounce':
      case 'give-back': {
        const [id, cheque] = [...books.cheques][one.nth] ?? []
        if (id === undefined || !cheque) return
        const isBounce = one.kind === 'bounce'
        const isAllowed = cheque.state === 'due' || (!isBounce && cheque.state === 'held')
        const { status } = await this.#post(`/cheques/${id}/${isBounce ? 'bounce' : 'return'}`, { reason: 'No cover' })
        equal(status, isAllowed && books.takeBack(id, isBounce ? 'bounced' : 'returned') ? 200 : 409)
        return
      }
      case 'replace': {
        const [id, cheque] = [...books.cheques][one.nth] ?? []
        if (id === undefined || !cheque) return
        const isAllowed = ['held', 'due', 'bounced'].includes(cheque.state)
        const { status, body } = await this.#post(`/cheques/${id}/replace`, { method: 'cash' })
        const before = cheque.paid.length > 0 ? cheque.paid : cheque.meant
        equal(status, isAllowed && books.takeBack(id, 'replaced') ? 201 : 409)
        if (status !== 201) return
        const meant = new Map<string, number>()
        for (const { invoice, amount } of before) meant.set(invoice, (meant.get(invoice) ?? 0) + amount)
        const parts = [...meant].flatMap(([invoice, amount]) => {
          const part = Math.min(amount, books.owed(invoice) - books.held(invoice))
          return books.invoices.get(invoice)?.state === 'issued' && part > 0 ? [{ invoice, amount: part }] : []
        })
        const rest = parts.reduce((left, part) => left - part.amount, cheque.amount)
        books.receive(body.id, parts, rest > 0 ? { holder: cheque.holder, amount: rest } : null)
        for (const [at, { id: paymentId }] of body.payments.entries()) {
          this.#payments.push({ id: paymentId, receipt: body.id, at })
        }
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

  /** Reads everything that the program says, and compares it with the books. @param all those of the institute */
  async compare(all: readonly Books[] = [this.books]): Promise<void> {
    await this.#compareFamily()
    const { body: summary } = await this.family.school.owner.get('/billing/summary')
    const sum = (of: (books: Books) => number) => all.reduce((total, books) => total + of(books), 0)
    equal(
      summary.outstanding.amountMinor,
      sum((books) => [...books.invoices.keys()].reduce((owed, id) => owed + books.owed(id), 0)),
    )
    equal(
      summary.collectedThisMonth.amountMinor,
      sum(({ till }) => till),
    )
  }

  async #compareFamily(): Promise<void> {
    const { books } = this
    const { school, mother, father, students } = this.family
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
    for (const [id, { state, amount }] of books.cheques) {
      const cheque = await read(`/cheques/${id}`)
      deepEqual([id, cheque.status, cheque.amount.amountMinor], [id, state, amount])
    }
    equal((await read(`/guardians/${mother}/account`)).held.amountMinor, books.heldOf(mother))
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
  }
}

/** Histories of families of one new institute, which begin on 2 March 2026; the sweeps of each day run as it begins. */
export const playIn = async (app: TestApp, families = 1): Promise<{ plays: Play[]; school: TestInstitute }> => {
  app.clock.set('2026-03-02T08:00:00.000Z')
  let day = 0
  const school = await makeInstitute(app)
  const nextDay = async () => {
    day += 1
    app.clock.set(`${OF_MARCH.dateOf(day)}T08:00:00.000Z`)
    await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
      unit.system().enqueue(sweepChequesJob, {})
    })
    await app.drain()
    return day
  }
  const plays: Play[] = []
  for (let nth = 0; nth < families; nth += 1) plays.push(new Play(await familyOf(school, String(nth)), nextDay))
  return { plays, school }
}
