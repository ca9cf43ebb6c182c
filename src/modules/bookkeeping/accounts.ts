/**
 * The accounts of the journal. Their keys are at most 15 characters and the same in every export, so that a program for
 * bookkeeping knows them again.
 */

/** Where money lies, by the way in which it was paid. */
const MONEY = {
  cash: '1100',
  cheque: '1110',
  bank_transfer: '1120',
  card: '1130',
  online: '1140',
  other: '1190',
} as const

export type Method = keyof typeof MONEY

/** What families came with from another program. */
const OPENING = '3000'
/** Tax that was charged, and is owed to the authority. */
const TAX = '2400'
/** What was charged for no course. */
const INCOME = '4000'

/** Somebody who pays: a guardian, or a student for whom no guardian does. */
export interface Holder {
  guardianId: string | null
  studentId: string | null
}

/** What an account is of. */
export type AccountOf =
  | { kind: 'payer'; holder: Holder }
  | { kind: 'money'; method: Method }
  | { kind: 'opening' }
  | { kind: 'tax' }
  | { kind: 'income'; courseId: string | null }

/** The last 56 bits of an id are its random part. */
const tail = (id: string): string => id.replaceAll('-', '').slice(-14)

/** The accounts that a journal uses, by their keys. */
export class Chart {
  readonly #accounts = new Map<string, AccountOf>()

  /** In the order of their keys. */
  get accounts(): ReadonlyMap<string, AccountOf> {
    return new Map([...this.#accounts].toSorted(([one], [other]) => (one < other ? -1 : 1)))
  }

  #key(key: string, account: AccountOf): string {
    if (!this.#accounts.has(key)) this.#accounts.set(key, account)
    return key
  }

  payer(holder: Holder): string {
    const { guardianId, studentId } = holder
    const key = guardianId === null ? `S${tail(studentId ?? '')}` : `G${tail(guardianId)}`
    return this.#key(key, { kind: 'payer', holder })
  }

  money(method: Method): string {
    return this.#key(MONEY[method], { kind: 'money', method })
  }

  opening(): string {
    return this.#key(OPENING, { kind: 'opening' })
  }

  tax(): string {
    return this.#key(TAX, { kind: 'tax' })
  }

  income(courseId: string | null): string {
    return this.#key(courseId === null ? INCOME : `C${tail(courseId)}`, { kind: 'income', courseId })
  }
}
