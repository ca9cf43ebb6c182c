import { read, type Endpoint } from '#kernel/contract/endpoint.ts'
import { addDays } from '#kernel/time/zone.ts'
import { failure, invalid } from '#kernel/values/errors.ts'
import { content } from '#kernel/values/media.ts'
import { SumTooLarge } from '#kernel/values/sums.ts'
import { readIssuer } from '#modules/settings/index.ts'
import { journalCsv } from './journal-file.ts'
import { readJournal } from './journal.ts'
import { countInOtherCurrencies } from './rows.ts'
import { JournalQuery, PeriodQuery } from './schemas.ts'
import { uniformFiles } from './uniform/file.ts'
import { uniformZip } from './uniform/zip.ts'
import { WORDS } from './words/index.ts'

const MOST_DAYS = 366

const NoTaxNumber = failure(
  'CONFLICT',
  'no_tax_number',
  'The settings of papers have no tax number of nine digits, by which the authority knows the institute.',
)
const NotInShekels = failure('CONFLICT', 'not_in_shekels', 'The files are for institutes that work in shekels.')

/** @throws VALIDATION_ERROR for a period that ends before it begins, or is too long */
const checkPeriod = ({ from, to }: { from: string; to: string }): void => {
  if (to < from) throw invalid(['to'], 'Must not be earlier than from.')
  if (to >= addDays(from, MOST_DAYS)) throw invalid(['to'], `Must be at most ${MOST_DAYS} days in all.`)
}

/** The number by which the authority knows the institute. @throws NoTaxNumber */
const nineDigits = (taxNumber: string | null): string => {
  const digits = (taxNumber ?? '').replaceAll(/[^0-9]/g, '')
  if (digits.length !== 9) throw NoTaxNumber()
  return digits
}

/** @param version of the program */
export const bookkeepingEndpoints = (version: string): readonly Endpoint[] => [
  read({
    id: 'bookkeeping.journal',
    path: '/accounting/journal',
    summary: 'Get the journal of a period',
    description:
      'A CSV for an accountant, by double entry: what was on each account before the first day, and for each paper the accounts that it debits and credits, which come to the same. An invoice debits its payer and credits the income of each course, and the tax; a receipt debits cash, cheques, cards and so on and credits the payer. A credit note takes back of each account in proportion. Invoices count on their issue date, money on the day on which it came or went, reversals and voids on the day of the reversal. Keys of accounts are the same in every journal; accounts of people begin with G (guardians) and S (students who pay themselves), those of courses with C. Heads and words are in the language of Accept-Language or of the institute. It is of all branches.',
    access: 'invoices.read',
    wholeTenant: true,
    query: JournalQuery,
    reply: content(['text/csv']),
    fails: [SumTooLarge],
    handle: async ({ db, whole, tenant, query, request }) => {
      checkPeriod(query)
      const words = WORDS[request.locale(tenant.defaultLocale)]
      const { from, to, currency = tenant.currency } = query
      const journal = await readJournal({ db, currency, timezone: tenant.timezone, from, to })
      return {
        type: 'text/csv; charset=utf-8',
        body: await journalCsv({ whole, words, from }, journal),
        download: `${words.fileName.journal}-${from}-${to}.csv`,
      }
    },
  }),
  read({
    id: 'bookkeeping.uniform-file',
    path: '/accounting/uniform-file',
    summary: 'Get the files in Israel’s uniform structure',
    description:
      'A ZIP with INI.TXT and BKMVDATA.TXT by the instructions of the Israel Tax Authority, version 1.31, in the folders that these name, and a README. Not certified: the program is not registered with the authority. Invoices are of type 300, credit notes of the same type and negative, receipts 400, refunds 410; void invoices and cancelled receipts are marked. The journal stands in it as double entry. The console offers it where the institute’s time zone is of Israel and its currency the shekel; asked for by its address it comes for any institute that works in shekels. Only papers in shekels; README.txt says how many there are in other currencies. Amounts have fourteen digits at the most (409 `sum_too_large`). Arabic names are written in Hebrew letters, because the files know no others.',
    access: 'invoices.read',
    wholeTenant: true,
    query: PeriodQuery,
    reply: content(['application/zip']),
    fails: [NoTaxNumber, NotInShekels, SumTooLarge],
    handle: async ({ db, whole, tenant, query, request, now }) => {
      checkPeriod(query)
      if (tenant.currency !== 'ILS') throw NotInShekels()
      const issuer = await readIssuer(whole, null)
      const taxNumber = nineDigits(issuer.taxNumber)
      const words = WORDS[request.locale(tenant.defaultLocale)]
      const { from, to } = query
      const period = { currency: 'ILS', timezone: tenant.timezone, from, to } as const
      const files = await uniformFiles({ ...period, tenantId: tenant.id, db, whole, issuer, taxNumber, now, version })
      const leftOut = await countInOtherCurrencies(db, period)
      const about = { words, business: issuer.name, taxNumber, from, to, leftOut, now }
      return {
        type: 'application/zip',
        body: await uniformZip(files, about),
        download: `${words.fileName.uniform}-${from}-${to}.zip`,
      }
    },
  }),
]
