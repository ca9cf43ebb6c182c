import type * as v from 'valibot'
import type { Endpoint } from '#kernel/endpoint.ts'
import { isPage, Money } from '#kernel/schema.ts'
import { unwrapped, type AnySchema } from '../bounds.ts'

/** How a value stands in a file: as what a spreadsheet takes it for. */
export type CellKind = 'text' | 'number' | 'boolean' | 'day' | 'instant' | 'amount' | 'list' | 'json'

/** One column of a list's file. */
export interface Column {
  /** Where the value lies in a record: the names of its fields, from the outside in. */
  path: readonly string[]
  kind: CellKind
}

/** Whether an endpoint gives its whole list as a file: every list for somebody who has come in. */
export const givesFile = ({ reply, access, forPeople }: Endpoint): boolean =>
  isPage(reply) && access !== 'anyone' && access !== 'publishable' && !forPeople

/** The format that the schema gives a text: `date`, `date-time` or none. */
const formatOf = ({ wrapped, pipe = [] }: AnySchema): string | undefined => {
  if (wrapped) return formatOf(wrapped)
  for (const step of pipe) {
    const { metadata } = step as { metadata?: { format?: string } }
    if (step.type === 'metadata' && metadata?.format) return metadata.format
  }
  return pipe[0] && formatOf(pipe[0])
}

const SIMPLE: Record<string, CellKind> = {
  string: 'text',
  picklist: 'text',
  literal: 'text',
  number: 'number',
  boolean: 'boolean',
}

const kindOf = (name: string, schema: AnySchema): CellKind => {
  const inner = unwrapped(schema)
  if (inner.type === 'array') return inner.item && unwrapped(inner.item).type in SIMPLE ? 'list' : 'json'
  const kind = SIMPLE[inner.type] ?? 'json'
  if (kind === 'number' && name.endsWith('Minor')) return 'amount'
  const format = kind === 'text' ? formatOf(schema) : undefined
  return format === 'date' ? 'day' : format === 'date-time' ? 'instant' : kind
}

const MONEY: object = Money.entries

const columnsIn = (schema: AnySchema, path: readonly string[]): Column[] =>
  Object.entries(unwrapped(schema).entries ?? {}).flatMap(([name, field]): Column[] => {
    const here = [...path, name]
    const { entries } = unwrapped(field)
    if (entries === MONEY) return [{ path: [...here, 'amountMinor'], kind: 'amount' }]
    return entries ? columnsIn(field, here) : [{ path: here, kind: kindOf(name, field) }]
  })

const isId = ({ path }: Column): boolean => /(?:^id|Id|Ids)$/.test(path.at(-1) ?? '')
const isMoney = ({ path }: Column): boolean => path.at(-1) === 'amountMinor'

const columnsOfRecord = (record: AnySchema): Column[] => {
  const columns = columnsIn(record, [])
  // All amounts of a record have one currency.
  const amount = columns.find(isMoney)
  const isNamed = columns.some(({ path }) => path.length === 1 && path[0] === 'currency')
  const currency: Column[] =
    amount && !isNamed ? [{ path: [...amount.path.slice(0, -1), 'currency'], kind: 'text' }] : []
  // What a person reads comes first, what only programs read last.
  return [...columns.filter((one) => !isId(one)), ...currency, ...columns.filter(isId)]
}

const known = new WeakMap<object, Column[]>()

/** The columns of a list, by the schema of its records: each simple field is one, and each amount of money. */
export const columnsOf = (reply: v.GenericSchema): readonly Column[] => {
  const found = known.get(reply)
  if (found) return found
  const record = unwrapped(unwrapped(reply).entries?.data as AnySchema).item
  if (!record) throw new Error('the reply is no page of a list')
  const columns = columnsOfRecord(record)
  known.set(reply, columns)
  return columns
}
