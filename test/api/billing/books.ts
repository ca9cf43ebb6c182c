/**
 * A second set of books, by double entry, written from the rules alone: what a receivable, a credit and the till hold after
 * each act. It imports nothing of the program.
 */

export interface Posting {
  /** `owed <invoice>`, `credit <holder>`, `income`, `till`. */
  account: string
  /** Positive: debit. */
  amount: number
}

interface Part {
  invoice: string
  amount: number
  isReversed: boolean
}

interface Receipt {
  parts: Part[]
  credit: { holder: string; amount: number; isReversed: boolean } | null
}

interface Invoice {
  student: string
  payer: string
  total: number
  /** The day on which it falls due. */
  due: string
  /** What credit notes took off. */
  credited: number
  /** What of that had been paid and became credit, less what went back to the invoice. */
  madeCredit: number
  state: 'draft' | 'issued' | 'void'
}

/** What credit paid, in the order in which it did. */
interface Application {
  holder: string
  invoice: string
  amount: number
  /** Whether it gave back what a credit note of the invoice had made. */
  isGivenBack: boolean
  isTakenBack: boolean
}

/** What a cheque is meant for, and what it became. */
interface Cheque {
  holder: string
  amount: number
  /** The day that stands on it. */
  day: number
  meant: { invoice: string; amount: number }[]
  state: 'held' | 'due' | 'bounced' | 'returned' | 'replaced'
  paid: Part[]
  credit: Receipt['credit']
}

export class Books {
  readonly #balances = new Map<string, number>()
  readonly invoices = new Map<string, Invoice>()
  readonly receipts = new Map<string, Receipt>()
  readonly cheques = new Map<string, Cheque>()
  readonly #applications: Application[] = []
  /** By month and student. */
  readonly #charges = new Map<string, string>()

  #post(...postings: Posting[]): void {
    const sum = postings.reduce((all, { amount }) => all + amount, 0)
    if (sum !== 0) throw new Error(`The entry does not close: ${JSON.stringify(postings)}`)
    for (const { account, amount } of postings) this.#balances.set(account, this.#of(account) + amount)
  }

  #of(account: string): number {
    return this.#balances.get(account) ?? 0
  }

  owed(invoice: string): number {
    return this.#of(`owed ${invoice}`)
  }

  credit(holder: string): number {
    return 0 - this.#of(`credit ${holder}`)
  }

  get till(): number {
    return this.#of('till')
  }

  /** What everybody owes, less what they have in credit, is what was earned and did not come in. */
  closes(): boolean {
    const all = [...this.#balances].filter(([account]) => account !== 'income' && account !== 'till')
    return all.reduce((sum, [, amount]) => sum + amount, 0) === -this.#of('income') - this.till
  }

  draft(id: string, { student, total, due }: Pick<Invoice, 'student' | 'total' | 'due'>): void {
    this.invoices.set(id, { student, payer: '', total, due, credited: 0, madeCredit: 0, state: 'draft' })
  }

  /** The invoices in the order in which they are paid: first due, then first made. */
  firstDue(): [id: string, invoice: Invoice][] {
    const key = ([id, { due }]: [string, Invoice]) => `${due} ${id}`
    return [...this.invoices].toSorted((one, other) => (key(one) < key(other) ? -1 : 1))
  }

  /**
   * What is charged for a month: less a percentage of the whole price, rounded half up, and then an amount, and never less
   * than nothing.
   */
  static charge(price: number, { percent, amount }: { percent: number; amount: number }): number {
    const left = price - Math.floor((price * percent * 2 + 100) / 200)
    return left - Math.min(left, amount)
  }

  /** The students whom a run of a month is to bill: nobody whose charge for it counts still. */
  unbilled(month: string, students: readonly string[]): string[] {
    return students.filter((student) => {
      const id = this.#charges.get(`${month} ${student}`)
      return id === undefined || this.#invoice(id).state === 'void'
    })
  }

  charged(month: string, student: string, id: string): void {
    this.#charges.set(`${month} ${student}`, id)
  }

  issue(id: string, payer: string, appliesCredit: boolean): void {
    const invoice = this.#invoice(id)
    Object.assign(invoice, { state: 'issued', payer })
    this.#post({ account: `owed ${id}`, amount: invoice.total }, { account: 'income', amount: -invoice.total })
    if (!appliesCredit) return
    this.apply(payer, id, Math.min(this.credit(payer), invoice.total))
    let left = this.owed(id)
    for (const cheque of this.#byDay()) {
      if (cheque.holder !== payer || cheque.state !== 'held') continue
      const free = cheque.meant.reduce((sum, { amount }) => sum - amount, cheque.amount)
      const part = Math.min(left, free)
      if (part > 0) cheque.meant.push({ invoice: id, amount: part })
      left -= Math.max(part, 0)
    }
  }

  #byDay(): Cheque[] {
    return [...this.cheques]
      .toSorted(([a, one], [b, other]) => one.day - other.day || (a < b ? -1 : 1))
      .map(([, cheque]) => cheque)
  }

  /** What cheques that are held are meant for. */
  held(invoice: string): number {
    const held = [...this.cheques.values()].filter(({ state }) => state === 'held').flatMap(({ meant }) => meant)
    return held.reduce((sum, part) => (part.invoice === invoice ? sum + part.amount : sum), 0)
  }

  /** What of a payer is held in cheques. */
  heldOf(holder: string): number {
    return [...this.cheques.values()].reduce(
      (sum, cheque) => (cheque.holder === holder && cheque.state === 'held' ? sum + cheque.amount : sum),
      0,
    )
  }

  hold(id: string, cheque: Pick<Cheque, 'holder' | 'amount' | 'day' | 'meant'>): void {
    this.cheques.set(id, { ...cheque, state: 'held', paid: [], credit: null })
  }

  /** The day of a cheque has come: it pays what it is meant for, what else is owed, first made first, and is credit. */
  fallsDue(id: string, appliesCredit: boolean): void {
    const cheque = this.cheques.get(id) as Cheque
    cheque.state = 'due'
    let left = cheque.amount
    const pay = (invoice: string, most: number) => {
      const amount = Math.min(left, most, this.owed(invoice))
      if (this.#invoice(invoice).state !== 'issued' || amount <= 0) return
      this.#post({ account: 'till', amount }, { account: `owed ${invoice}`, amount: -amount })
      cheque.paid.push({ invoice, amount, isReversed: false })
      left -= amount
    }
    for (const { invoice, amount } of cheque.meant) pay(invoice, amount)
    if (appliesCredit) {
      const own = this.firstDue().filter(([, { payer }]) => payer === cheque.holder)
      for (const [invoice] of own) pay(invoice, this.owed(invoice) - this.held(invoice))
    }
    if (left === 0) return
    this.#post({ account: 'till', amount: left }, { account: `credit ${cheque.holder}`, amount: -left })
    cheque.credit = { holder: cheque.holder, amount: left, isReversed: false }
  }

  /** @returns whether it can be taken back: its credit was not paid out */
  takeBack(id: string, state: 'bounced' | 'returned' | 'replaced'): boolean {
    const cheque = this.cheques.get(id) as Cheque
    const { credit } = cheque
    if (cheque.state === 'due') {
      if (credit && credit.amount > this.#within(credit.holder)) return false
      const opened = credit ? this.#takeCredit(credit) : []
      for (const part of cheque.paid) this.reversePart(part)
      for (const invoice of opened) this.#giveBack(invoice)
    }
    cheque.state = state
    return true
  }

  void(id: string): void {
    const invoice = this.#invoice(id)
    if (invoice.state === 'issued') {
      this.#post({ account: `owed ${id}`, amount: -invoice.total }, { account: 'income', amount: invoice.total })
    }
    invoice.state = 'void'
  }

  /** Whether anything was paid or credited: then it cannot be voided. */
  isPaid(id: string): boolean {
    const { state, total, credited } = this.#invoice(id)
    return state === 'issued' && (this.owed(id) !== total || credited > 0)
  }

  /** What was paid of it, also from credit. */
  paid(id: string): number {
    const { total, credited } = this.#invoice(id)
    return Math.max(0, total - credited - this.owed(id))
  }

  /** Takes back a part; what is above the balance becomes credit. */
  creditNote(id: string, amount: number): void {
    const invoice = this.#invoice(id)
    const settled = Math.min(amount, this.owed(id))
    invoice.credited += amount
    invoice.madeCredit += amount - settled
    this.#post(
      { account: 'income', amount },
      { account: `owed ${id}`, amount: -settled },
      { account: `credit ${invoice.payer}`, amount: settled - amount },
    )
  }

  refund(holder: string, amount: number): void {
    this.#post({ account: `credit ${holder}`, amount }, { account: 'till', amount: -amount })
  }

  receive(
    id: string,
    parts: Pick<Part, 'invoice' | 'amount'>[],
    ahead: { holder: string; amount: number } | null,
  ): void {
    const received = parts.reduce((sum, { amount }) => sum + amount, ahead?.amount ?? 0)
    this.#post(
      { account: 'till', amount: received },
      ...parts.map(({ invoice, amount }) => ({ account: `owed ${invoice}`, amount: -amount })),
      ...(ahead ? [{ account: `credit ${ahead.holder}`, amount: -ahead.amount }] : []),
    )
    this.receipts.set(id, {
      parts: parts.map((part) => ({ ...part, isReversed: false })),
      credit: ahead && { ...ahead, isReversed: false },
    })
  }

  apply(holder: string, invoice: string, amount: number, isGivenBack = false): void {
    if (amount === 0) return
    this.#post({ account: `credit ${holder}`, amount }, { account: `owed ${invoice}`, amount: -amount })
    this.#applications.push({ holder, invoice, amount, isGivenBack, isTakenBack: false })
  }

  /** @returns whether it can be taken back: something of it holds, and its credit was not paid out */
  reverse(id: string): boolean {
    const { parts, credit } = this.receipts.get(id) as Receipt
    const left = parts.filter((part) => !part.isReversed)
    if (left.length === 0 && (!credit || credit.isReversed)) return false
    if (credit && !credit.isReversed && credit.amount > this.#within(credit.holder)) return false
    const opened = credit && !credit.isReversed ? this.#takeCredit(credit) : []
    for (const part of left) this.reversePart(part)
    for (const invoice of opened) this.#giveBack(invoice)
    return true
  }

  reversePart(part: Part): void {
    part.isReversed = true
    this.#post({ account: `owed ${part.invoice}`, amount: part.amount }, { account: 'till', amount: -part.amount })
    this.#giveBack(part.invoice)
  }

  /** What credit notes made goes back to an invoice that is open again, as far as it is still there. */
  #giveBack(id: string): void {
    const invoice = this.#invoice(id)
    const { madeCredit, payer } = invoice
    const back = Math.min(madeCredit, this.owed(id), this.credit(payer))
    invoice.madeCredit -= back
    this.apply(payer, id, back, true)
  }

  /** The credit of somebody, with what it has paid. */
  #within(holder: string): number {
    const applied = this.#applications.filter((one) => one.holder === holder && !one.isTakenBack)
    return this.credit(holder) + applied.reduce((sum, { amount }) => sum + amount, 0)
  }

  /** @returns the invoices that are open again for it */
  #takeCredit(credit: NonNullable<Receipt['credit']>): string[] {
    const opened: string[] = []
    for (const application of this.#applications.toReversed()) {
      if (this.credit(credit.holder) >= credit.amount) break
      if (application.holder !== credit.holder || application.isTakenBack) continue
      application.isTakenBack = true
      opened.push(application.invoice)
      if (application.isGivenBack) this.#invoice(application.invoice).madeCredit += application.amount
      this.#post(
        { account: `owed ${application.invoice}`, amount: application.amount },
        { account: `credit ${credit.holder}`, amount: -application.amount },
      )
    }
    credit.isReversed = true
    this.#post(
      { account: `credit ${credit.holder}`, amount: credit.amount },
      { account: 'till', amount: -credit.amount },
    )
    return opened
  }

  #invoice(id: string): Invoice {
    return this.invoices.get(id) as Invoice
  }
}
