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
  /** What credit notes took off. */
  credited: number
  state: 'draft' | 'issued' | 'void'
}

/** What credit paid, in the order in which it did. */
interface Application {
  holder: string
  invoice: string
  amount: number
  isTakenBack: boolean
}

export class Books {
  readonly #balances = new Map<string, number>()
  readonly invoices = new Map<string, Invoice>()
  readonly receipts = new Map<string, Receipt>()
  readonly #applications: Application[] = []

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

  draft(id: string, student: string, total: number): void {
    this.invoices.set(id, { student, payer: '', total, credited: 0, state: 'draft' })
  }

  issue(id: string, payer: string, appliesCredit: boolean): void {
    const invoice = this.#invoice(id)
    Object.assign(invoice, { state: 'issued', payer })
    this.#post({ account: `owed ${id}`, amount: invoice.total }, { account: 'income', amount: -invoice.total })
    if (appliesCredit) this.apply(payer, id, Math.min(this.credit(payer), invoice.total))
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

  apply(holder: string, invoice: string, amount: number): void {
    if (amount === 0) return
    this.#post({ account: `credit ${holder}`, amount }, { account: `owed ${invoice}`, amount: -amount })
    this.#applications.push({ holder, invoice, amount, isTakenBack: false })
  }

  /** @returns whether it can be taken back: something of it holds, and its credit was not paid out */
  reverse(id: string): boolean {
    const { parts, credit } = this.receipts.get(id) as Receipt
    const left = parts.filter((part) => !part.isReversed)
    if (left.length === 0 && (!credit || credit.isReversed)) return false
    if (credit && !credit.isReversed && credit.amount > this.#within(credit.holder)) return false
    if (credit && !credit.isReversed) this.#takeCredit(credit)
    for (const part of left) this.reversePart(part)
    return true
  }

  reversePart(part: Part): void {
    part.isReversed = true
    this.#post({ account: `owed ${part.invoice}`, amount: part.amount }, { account: 'till', amount: -part.amount })
    // What a credit note had made of it goes back to the invoice, as far as it is still there.
    const { total, credited, payer } = this.#invoice(part.invoice)
    const short = this.owed(part.invoice) - (total - credited)
    if (short > 0) this.apply(payer, part.invoice, Math.min(short, this.credit(payer)))
  }

  /** The credit of somebody, with what it has paid. */
  #within(holder: string): number {
    const applied = this.#applications.filter((one) => one.holder === holder && !one.isTakenBack)
    return this.credit(holder) + applied.reduce((sum, { amount }) => sum + amount, 0)
  }

  #takeCredit(credit: NonNullable<Receipt['credit']>): void {
    for (const application of this.#applications.toReversed()) {
      if (this.credit(credit.holder) >= credit.amount) break
      if (application.holder !== credit.holder || application.isTakenBack) continue
      application.isTakenBack = true
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
  }

  #invoice(id: string): Invoice {
    return this.invoices.get(id) as Invoice
  }
}
