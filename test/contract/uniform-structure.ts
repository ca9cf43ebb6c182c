/**
 * What a checker of the uniform structure looks at: the instructions of the Israel Tax Authority, version 1.31 of 10 May
 * 2009, read apart from the program's own tables. Columns count from 1, as in the instructions.
 */

/** The length of each record without the end of its line (section 2.5). */
export const LENGTHS: Readonly<Record<string, number>> = {
  A000: 466,
  A100: 95,
  B100: 317,
  B110: 376,
  C100: 444,
  D110: 339,
  D120: 222,
  Z900: 110,
}

/** The length of a summary in INI.TXT. */
export const SUMMARY_LENGTH = 19

/** The first and the last column of the fields that the checks read (sections 3 and 4). */
export const COLUMNS = {
  code: [1, 4],
  recordNumber: [5, 13],
  taxNumber: [14, 22],
  'A000.records': [10, 24],
  'A000.taxNumber': [25, 33],
  'A000.fileId': [34, 48],
  'A000.constant': [49, 56],
  'A000.years': [134, 134],
  'A000.path': [135, 184],
  'A000.bookkeeping': [185, 185],
  'A000.business': [215, 264],
  'A000.from': [367, 374],
  'A000.to': [375, 382],
  'A000.madeOn': [383, 390],
  'A000.madeAt': [391, 394],
  'A000.language': [395, 395],
  'A000.letters': [396, 396],
  'A000.currency': [417, 419],
  'A000.hasBranches': [420, 420],
  'SUMMARY.records': [5, 19],
  'A100.fileId': [23, 37],
  'A100.constant': [38, 45],
  'Z900.fileId': [23, 37],
  'Z900.constant': [38, 45],
  'Z900.records': [46, 60],
  'C100.type': [23, 25],
  'C100.number': [26, 45],
  'C100.madeOn': [46, 53],
  'C100.name': [58, 107],
  'C100.beforeDiscount': [288, 302],
  'C100.discount': [303, 317],
  'C100.net': [318, 332],
  'C100.tax': [333, 347],
  'C100.total': [348, 362],
  'C100.account': [375, 389],
  'C100.isVoid': [400, 400],
  'C100.date': [401, 408],
  'C100.branch': [409, 415],
  'C100.link': [425, 431],
  'D110.type': [23, 25],
  'D110.number': [26, 45],
  'D110.line': [46, 49],
  'D110.baseNumber': [53, 72],
  'D110.description': [94, 123],
  'D110.quantity': [224, 240],
  'D110.unitPrice': [241, 255],
  'D110.discount': [256, 270],
  'D110.net': [271, 285],
  'D110.taxRate': [286, 289],
  'D110.date': [297, 304],
  'D110.link': [305, 311],
  'D120.type': [23, 25],
  'D120.number': [26, 45],
  'D120.line': [46, 49],
  'D120.method': [50, 50],
  'D120.amount': [104, 118],
  'D120.date': [148, 155],
  'D120.link': [156, 162],
  'B100.transaction': [23, 32],
  'B100.line': [33, 37],
  'B100.date': [157, 164],
  'B100.valueDate': [165, 172],
  'B100.account': [173, 187],
  'B100.side': [203, 203],
  'B100.amount': [207, 221],
  'B110.account': [23, 37],
  'B110.name': [38, 87],
  'B110.opening': [278, 292],
  'B110.debits': [293, 307],
  'B110.credits': [308, 322],
} as const satisfies Record<string, readonly [number, number]>

export type Column = keyof typeof COLUMNS

export const field = (record: string, column: Column): string => {
  const [first, last] = COLUMNS[column]
  return record.slice(first - 1, last)
}

/** An amount by its sign and digits (section 2.3); a blank field is undefined. */
export const amountIn = (record: string, column: Column): number | undefined => {
  const text = field(record, column)
  if (text.trim() === '') return undefined
  if (!/^[+-]\d+$/.test(text)) throw new Error(`${column} is no amount: "${text}"`)
  return Number(text)
}

/** The types of papers that the authority knows (appendix 1). */
export const TYPES = [
  100, 200, 205, 210, 300, 305, 310, 320, 330, 340, 345, 400, 405, 410, 420, 500, 600, 610, 700, 710, 800, 810, 820,
  830, 840, 900, 910,
]

const HEBREW = new TextDecoder('iso-8859-8-i', { fatal: true })

const linesOf = (bytes: Buffer, name: string): string[] => {
  const text = HEBREW.decode(bytes)
  if (!text.endsWith('\r\n')) throw new Error(`${name} does not end its last line`)
  return text.slice(0, -2).split('\r\n')
}

/** The records of both files. */
export const recordsOf = (ini: Buffer, data: Buffer): { ini: string[]; data: string[] } => ({
  ini: linesOf(ini, 'INI.TXT'),
  data: linesOf(data, 'BKMVDATA.TXT'),
})

const sumOf = (records: readonly string[], column: Column): number =>
  records.reduce((sum, record) => sum + (amountIn(record, column) ?? 0), 0)

/** What is wrong with the files, in sentences. */
export const faultsOf = ({ ini, data }: { ini: string[]; data: string[] }): string[] => {
  const faults: string[] = []
  const check = (isRight: boolean, fault: string) => {
    if (!isRight) faults.push(fault)
  }
  const [head = '', ...summaries] = ini
  const by = Map.groupBy(data, (record) => field(record, 'code'))
  const of = (code: string) => by.get(code) ?? []

  for (const record of [head, ...data]) {
    const code = field(record, 'code')
    check(record.length === LENGTHS[code], `${code} has ${record.length} characters`)
  }
  for (const record of summaries) check(record.length === SUMMARY_LENGTH, 'a summary has another length')
  for (const [at, record] of data.entries()) {
    check(Number(field(record, 'recordNumber')) === at + 1, `record ${at + 1} has another number`)
    check(field(record, 'taxNumber') === field(head, 'A000.taxNumber'), `record ${at + 1} is of another business`)
  }
  check(field(data[0] ?? '', 'code') === 'A100' && of('A100').length === 1, 'A100 is not the first')
  check(field(data.at(-1) ?? '', 'code') === 'Z900' && of('Z900').length === 1, 'Z900 is not the last')
  const [opening = '', closing = ''] = [data[0], data.at(-1)]
  const ids = new Set([field(head, 'A000.fileId'), field(opening, 'A100.fileId'), field(closing, 'Z900.fileId')])
  check(ids.size === 1 && /^[1-9]\d{14}$/.test([...ids][0] ?? ''), 'the identifiers differ')
  for (const constant of [
    field(head, 'A000.constant'),
    field(opening, 'A100.constant'),
    field(closing, 'Z900.constant'),
  ]) {
    check(constant === '&OF1.31&', 'the constant differs')
  }
  const counts = [field(head, 'A000.records'), field(closing, 'Z900.records')].map(Number)
  check(
    counts.every((count) => count === data.length),
    'the number of records differs',
  )
  const summed = new Map(summaries.map((record) => [field(record, 'code'), Number(field(record, 'SUMMARY.records'))]))
  for (const code of ['B100', 'B110', 'C100', 'D110', 'D120']) {
    check((summed.get(code) ?? 0) === of(code).length, `the summary of ${code} differs`)
  }

  const papers = of('C100')
  const names = papers.map((paper) => field(paper, 'C100.type') + field(paper, 'C100.number'))
  check(new Set(names).size === names.length, 'two papers have one number')
  for (const paper of papers) {
    const [type, link] = [Number(field(paper, 'C100.type')), field(paper, 'C100.link')]
    const name = `${type} ${field(paper, 'C100.number').trim()}`
    check(TYPES.includes(type), `${name} is of no type`)
    check(field(paper, 'C100.account').trim() !== '', `${name} has no payer`)
    const amounts = ['beforeDiscount', 'discount', 'net', 'tax', 'total'] as const
    const [before = 0, discount = 0, net = 0, tax = 0, total = 0] = amounts.map((one) => amountIn(paper, `C100.${one}`))
    check(before + discount === net && net + tax === total, `${name} does not add up`)
    check(discount <= 0, `${name} has a discount that adds`)
    const lines = of('D110').filter((line) => field(line, 'D110.link') === link)
    const money = of('D120').filter((line) => field(line, 'D120.link') === link)
    check(lines.length + money.length > 0, `${name} has no lines`)
    if (lines.length > 0) check(sumOf(lines, 'D110.net') === net, `the lines of ${name} do not come to its net`)
    if (money.length > 0)
      check(sumOf(money, 'D120.amount') === total, `the money of ${name} does not come to its total`)
  }
  for (const line of of('D110')) {
    const quantity = (amountIn(line, 'D110.quantity') ?? 0) / 10_000
    const price = amountIn(line, 'D110.unitPrice') ?? 0
    const discount = amountIn(line, 'D110.discount') ?? 0
    check(quantity * price + discount === amountIn(line, 'D110.net'), 'a line does not add up')
  }

  const accounts = new Map(of('B110').map((record) => [field(record, 'B110.account'), record]))
  check(accounts.size === of('B110').length, 'two accounts have one key')
  const signed = (record: string) =>
    (amountIn(record, 'B100.amount') ?? 0) * (field(record, 'B100.side') === '1' ? 1 : -1)
  for (const [transaction, lines] of Map.groupBy(of('B100'), (record) => field(record, 'B100.transaction'))) {
    check(lines.reduce((sum, line) => sum + signed(line), 0) === 0, `transaction ${transaction} is not balanced`)
    check(
      lines.every((line, at) => Number(field(line, 'B100.line')) === at + 1),
      `the lines of transaction ${transaction} are not in order`,
    )
  }
  for (const [key, lines] of Map.groupBy(of('B100'), (record) => field(record, 'B100.account'))) {
    const account = accounts.get(key)
    check(account !== undefined, `there is no account ${key}`)
    const side = (which: '1' | '2') => lines.filter((line) => field(line, 'B100.side') === which)
    check(sumOf(side('1'), 'B100.amount') === amountIn(account ?? '', 'B110.debits'), `the debits of ${key} differ`)
    check(sumOf(side('2'), 'B100.amount') === amountIn(account ?? '', 'B110.credits'), `the credits of ${key} differ`)
  }
  check(sumOf(of('B110'), 'B110.opening') === 0, 'what was brought forward is not balanced')
  return faults
}
