import * as v from 'valibot'
import type { Locale } from '#shared/locale.ts'
import { uuid } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { PaperSize } from '#ports/papers/port.ts'
import { readyPaper, type MakePaper, type PaperContext, type PaperDeps, type ReadyPaper } from './frame.ts'
import { guardianAccountPaper } from './account.ts'
import { creditNotePaper } from './credit-note.ts'
import { certificatePaper, rosterPaper } from './group.ts'
import { invoicePaper } from './invoice.ts'
import { receiptPaper } from './receipt.ts'
import { refundPaper } from './refund.ts'
import { reportPaper } from './report.ts'
import { RosterPaperQuery } from './schemas.ts'
import { statementPaper } from './statement.ts'

export interface PaperOptions {
  locale: Locale | undefined
  copy: boolean
  size: PaperSize
}

interface NamedPaper {
  /** By what its record is named, beside its id. */
  by?: string
  /** The ids of the records of a name. */
  find?(whole: ScopedDb, name: string): Promise<{ id: string }[]>
  make: MakePaper<PaperOptions>
}

/** Every paper, by a word for it. */
export const PAPERS = {
  invoice: {
    by: 'number',
    find: (whole, number) => whole.selectFrom('invoice').select('id').where('number', '=', number).execute(),
    make: invoicePaper,
  },
  receipt: {
    by: 'number',
    find: (whole, number) => whole.selectFrom('receipt').select('id').where('number', '=', number).execute(),
    make: receiptPaper,
  },
  statement: {
    by: 'number of the student',
    find: (whole, number) => whole.selectFrom('student').select('id').where('student_number', '=', number).execute(),
    make: (context, id, { locale }) => statementPaper(context, id, { locale }),
  },
  'credit-note': {
    by: 'number',
    find: (whole, number) => whole.selectFrom('credit_note').select('id').where('number', '=', number).execute(),
    make: creditNotePaper,
  },
  refund: {
    by: 'number',
    find: (whole, number) => whole.selectFrom('refund').select('id').where('number', '=', number).execute(),
    make: refundPaper,
  },
  account: { make: (context, id, { locale }) => guardianAccountPaper(context, id, { locale, scope: 'family' }) },
  report: { make: reportPaper },
  roster: {
    by: 'name of the group',
    find: (whole, name) => whole.selectFrom('group').select('id').where('name', '=', name).limit(5).execute(),
    make: (context, id, { locale }) => rosterPaper(context, id, v.parse(RosterPaperQuery, { locale })),
  },
  certificate: { make: certificatePaper },
} as const satisfies Record<string, NamedPaper>
export type PaperKind = keyof typeof PAPERS

const idsOf = async (whole: ScopedDb, { find }: NamedPaper, name: string): Promise<string[]> => {
  if (v.is(uuid, name)) return [name]
  return ((await find?.(whole, name)) ?? []).map(({ id }) => id)
}

/**
 * A paper that somebody asks for by the number or name of its record, or by its id.
 * @returns the ids in place of it where several records have this name, none where there is no such record
 * @throws NotFound for an id of no record
 */
export const paperNamed = async (
  deps: PaperDeps,
  context: PaperContext,
  { kind, name, ...options }: PaperOptions & { kind: PaperKind; name: string },
): Promise<ReadyPaper | { ids: string[] }> => {
  const paper: NamedPaper = PAPERS[kind]
  const ids = await idsOf(context.whole, paper, name)
  const [id, ...others] = ids
  if (id === undefined || others.length > 0) return { ids }
  return readyPaper(deps, context, await paper.make(context, id, options))
}
