import { createHash } from 'node:crypto'
import { localTime } from '#kernel/time/zone.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { exactSum } from '#kernel/values/sums.ts'
import type { Issuer } from '#modules/settings/index.ts'
import { Chart, type AccountOf, type Method } from '../accounts.ts'
import { readJournal, type Entry, type Journal } from '../journal.ts'
import { namesOfAccounts, type AccountName } from '../names.ts'
import { inTurns } from '#kernel/basics/turns.ts'
import { WORDS } from '../words/index.ts'
import { documentsOf, TYPES, type Document, type DocumentKind, type Period } from './documents.ts'
import { hebrewBytes } from './hebrew.ts'
import type { RecordCode, Values } from './layouts.ts'
import { recordLine } from './record.ts'

/** The two files of a period, and what a person wants to know of them. */
export interface UniformFiles {
  /** Such as OPENFRMT/51234567.26/11291025. */
  folder: string
  ini: Buffer
  data: Buffer
  /** How many records of each kind there are. */
  records: ReadonlyMap<string, number>
  documents: ReadonlyMap<DocumentKind, { count: number; totalMinor: number }>
}

interface Asked extends Period {
  tenantId: string
  db: ScopedDb
  whole: ScopedDb
  issuer: Issuer
  /** Nine digits. */
  taxNumber: string
  now: string
  /** Of the program. */
  version: string
}

const CONSTANT = '&OF1.31&'
const PROGRAM = 'Institute'
/** What the files are compressed with. */
const ZIP = 'ZIP'

const METHODS: Readonly<Record<Method, number>> = {
  cash: 1,
  cheque: 2,
  card: 3,
  bank_transfer: 4,
  online: 9,
  other: 9,
}

/** Groups of accounts, as a trial balance has them. */
const GROUPS: Readonly<Record<AccountOf['kind'], number>> = {
  money: 100,
  payer: 110,
  tax: 240,
  opening: 300,
  income: 400,
}

const compact = (date: string): string => date.replaceAll('-', '')

/** A number with at most five letters before its digits, and nothing between. */
const plain = (number: string): string => number.replaceAll(/[^A-Za-z0-9]/g, '')

/** What of a text fits in a field of digits. */
const lastDigits = (text: string, most: number): string => text.replaceAll(/[^0-9]/g, '').slice(-most)

const digitsOf = (text: string | null): string | undefined =>
  text !== null && /^\d{1,9}$/.test(text) ? text : undefined

/** Writes the records of BKMVDATA, one after another. */
class Data {
  readonly parts: Buffer[] = []
  readonly records = new Map<string, number>()
  readonly #taxNumber: string
  #count = 0

  constructor(taxNumber: string) {
    this.#taxNumber = taxNumber
  }

  get next(): number {
    return this.#count + 1
  }

  add<Code extends Exclude<RecordCode, 'A000' | 'SUMMARY'>>(code: Code, values: Values<Code>): void {
    this.#count += 1
    this.records.set(code, (this.records.get(code) ?? 0) + 1)
    const line = { ...values, code, recordNumber: this.#count, taxNumber: this.#taxNumber }
    this.parts.push(hebrewBytes(recordLine(code, line as Values<Code>)))
  }
}

/** The branches as the files name them: by their order, from 1. */
type BranchKeys = ReadonlyMap<string, string>

const readBranchKeys = async (whole: ScopedDb): Promise<BranchKeys> => {
  const rows = await whole.selectFrom('branch').select('id').orderBy('created_at').orderBy('id').execute()
  return new Map(rows.map(({ id }, at) => [id, String(at + 1)]))
}

/** A date and a time as they were in the institute. */
const moment = (instant: string, timezone: string) => {
  const local = localTime(instant, timezone)
  return { on: compact(local.slice(0, 10)), at: local.slice(11, 16).replace(':', '') }
}

const addressValues = (address: AccountName['address']) => ({
  street: address?.line1 ?? '',
  city: address?.city ?? '',
  postalCode: address?.postalCode ?? '',
  country: address?.country ?? '',
})

interface Writing {
  data: Data
  branches: BranchKeys
  timezone: string
}

const addDocument = ({ data, branches, timezone }: Writing, document: Document, link: number): void => {
  const { kind, total, tax, base } = document
  const made = moment(document.at, timezone)
  const shared = {
    type: TYPES[kind],
    number: plain(document.number),
    branch: branches.get(document.branchId) ?? '',
    date: compact(document.date),
    link,
  }
  data.add('C100', {
    ...shared,
    madeOn: made.on,
    madeAt: made.at,
    name: document.name,
    ...addressValues(document.address),
    payerNumber: digitsOf(document.nationalId) ?? 0,
    valueDate: shared.date,
    beforeDiscount: document.beforeDiscount,
    discount: -document.discount,
    net: total - tax,
    tax,
    total,
    account: new Chart().payer(document.holder),
    isVoid: document.isVoid ? '1' : '',
  })
  for (const [at, line] of document.lines.entries()) {
    data.add('D110', {
      ...shared,
      line: at + 1,
      ...(base && {
        baseType: TYPES.invoice,
        baseNumber: plain(base.number),
        baseBranch: branches.get(base.branchId) ?? '',
      }),
      transaction: 1,
      description: line.description,
      unit: WORDS.he.unit,
      quantity: line.quantity,
      unitPrice: line.unitPrice,
      discount: -line.discount,
      net: line.net,
      // The field has no room for more, and a tax may be as high as 100 percent.
      taxRate: Math.min(Math.round(line.taxRatePercent * 100), 9999),
    })
  }
  for (const [at, { method, amount, cheque }] of document.money.entries()) {
    data.add('D120', {
      ...shared,
      line: at + 1,
      method: METHODS[method],
      amount,
      ...(cheque && {
        bank: lastDigits(cheque.bank, 10),
        bankBranch: lastDigits(cheque.branch, 10),
        bankAccount: lastDigits(cheque.account, 15),
        cheque: lastDigits(cheque.number, 10),
        dueOn: compact(cheque.dueOn),
      }),
    })
  }
}

/** The type of the paper that an entry is about; 0: it is about none. */
const TYPE_OF_ENTRY: Readonly<Record<Entry['kind'], number>> = {
  invoice: TYPES.invoice,
  void: TYPES.invoice,
  moved: TYPES.invoice,
  credit_note: TYPES.creditNote,
  receipt: TYPES.receipt,
  reversal: TYPES.receipt,
  refund: TYPES.refund,
  credit: 0,
  opened: 0,
}

const addEntry = ({ data, branches, timezone }: Writing, entry: Entry, transaction: number): void => {
  for (const [at, { account, amountMinor }] of entry.postings.entries()) {
    data.add('B100', {
      transaction,
      line: at + 1,
      kind: WORDS.he.kinds[entry.kind],
      // An opening balance is of no paper: it has a name in place of a number.
      number: entry.kind === 'opened' ? '' : plain(entry.number),
      type: TYPE_OF_ENTRY[entry.kind],
      details: `${WORDS.he.kinds[entry.kind]} ${entry.number}`,
      date: compact(entry.date),
      valueDate: compact(entry.date),
      account,
      counterAccount: (entry.postings.length === 2 && entry.postings[1 - at]?.account) || '',
      side: amountMinor > 0 ? 1 : 2,
      amount: Math.abs(amountMinor),
      branch: branches.get(entry.branchId) ?? '',
      enteredOn: moment(entry.at, timezone).on,
    })
  }
}

const addAccounts = async (
  data: Data,
  { entries, opening, accounts }: Journal,
  names: ReadonlyMap<string, AccountName>,
) => {
  const sums = new Map<string, { debits: number; credits: number }>()
  for await (const { postings } of inTurns(entries)) {
    for (const { account, amountMinor } of postings) {
      const sum = sums.get(account) ?? { debits: 0, credits: 0 }
      if (amountMinor > 0) sum.debits = exactSum([sum.debits, amountMinor])
      else sum.credits = exactSum([sum.credits, -amountMinor])
      sums.set(account, sum)
    }
  }
  for await (const [key, account] of inTurns(accounts)) {
    const before = opening.get(key) ?? 0
    const { debits, credits } = sums.get(key) ?? { debits: 0, credits: 0 }
    if (before === 0 && debits === 0 && credits === 0) continue
    const named = names.get(key)
    data.add('B110', {
      account: key,
      name: named?.name ?? '',
      group: GROUPS[account.kind],
      groupName: WORDS.he.groups[account.kind],
      ...addressValues(named?.address ?? null),
      opening: before,
      debits,
      credits,
      payerNumber: digitsOf(named?.nationalId ?? null) ?? 0,
    })
  }
}

/** Fifteen digits that no other files have: of whom they are, of which days, and when they were made. */
const fileIdOf = ({ tenantId, from, to, now }: Asked): string => {
  const hash = createHash('sha256').update(`${tenantId} ${from} ${to} ${now}`).digest()
  return String(100_000_000_000_000n + (hash.readBigUInt64BE() % 900_000_000_000_000n))
}

const iniOf = (asked: Asked, { fileId, folder, data, hasBranches }: IniValues): Buffer => {
  const { issuer, taxNumber, from, to, now, timezone, currency, version } = asked
  const made = moment(now, timezone)
  const head = recordLine('A000', {
    code: 'A000',
    records: data.next - 1,
    taxNumber,
    fileId,
    constant: CONSTANT,
    program: PROGRAM,
    version,
    vendor: PROGRAM,
    years: 2,
    path: folder.replaceAll('/', '\\'),
    bookkeeping: 2,
    balancedBy: 1,
    business: issuer.name,
    street: issuer.address?.replaceAll('\n', ', ') ?? '',
    from: compact(from),
    to: compact(to),
    madeOn: made.on,
    madeAt: made.at,
    language: 0,
    letters: 1,
    compressedBy: ZIP,
    currency,
    hasBranches: hasBranches ? 1 : 0,
  })
  const sums = [...data.records]
    .filter(([code]) => code !== 'A100' && code !== 'Z900')
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([code, records]) => recordLine('SUMMARY', { code, records }))
  return hebrewBytes(head + sums.join(''))
}

interface IniValues {
  fileId: string
  folder: string
  data: Data
  hasBranches: boolean
}

/** Makes the files of a period. They stand for all branches. @throws SumTooLarge */
export const uniformFiles = async (asked: Asked): Promise<UniformFiles> => {
  const { db, whole, taxNumber, timezone, now } = asked
  const data = new Data(taxNumber)
  const fileId = fileIdOf(asked)
  const branches = await readBranchKeys(whole)
  const writing = { data, branches, timezone }
  data.add('A100', { fileId, constant: CONSTANT })
  const documents = new Map<DocumentKind, { count: number; totalMinor: number }>()
  let link = 0
  for await (const document of documentsOf(db, asked)) {
    link += 1
    addDocument(writing, document, link)
    const { count, totalMinor } = documents.get(document.kind) ?? { count: 0, totalMinor: 0 }
    documents.set(document.kind, { count: count + 1, totalMinor: totalMinor + document.total })
  }
  const journal = await readJournal(asked)
  let transaction = 0
  for await (const entry of inTurns(journal.entries)) {
    transaction += 1
    addEntry(writing, entry, transaction)
  }
  await addAccounts(data, journal, await namesOfAccounts(whole, journal.accounts, WORDS.he))
  data.add('Z900', { fileId, constant: CONSTANT, records: data.next })
  const made = moment(now, timezone)
  const folder = `OPENFRMT/${taxNumber.slice(0, 8)}.${made.on.slice(2, 4)}/${made.on.slice(4)}${made.at}`
  return {
    folder,
    ini: iniOf(asked, { fileId, folder, data, hasBranches: branches.size > 1 }),
    data: Buffer.concat(data.parts),
    records: data.records,
    documents,
  }
}
