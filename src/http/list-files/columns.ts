import type * as v from 'valibot'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import { nameOf } from '#kernel/values/named.ts'
import { isPage, Money } from '#kernel/values/schema.ts'
import { unwrapped, type AnySchema } from '#http/bodies/bounds.ts'

/** How a value stands in a file: as what a spreadsheet takes it for. */
export type CellKind =
  | 'text'
  | 'number'
  | 'boolean'
  | 'choice'
  | 'day'
  | 'instant'
  | 'amount'
  | 'list'
  | 'records'
  | 'any'

/** What a value is, by its schema. */
export interface Value {
  kind: CellKind
  /** Its field, behind those that it lies in. */
  field: string
  /** Of a list, what each element is. */
  element?: Value
  /** Of records, the fields that are told of each. */
  parts?: readonly Column[]
  /** Of a choice. */
  codes?: readonly string[]
  /** Of a choice that has a name: what its codes mean need not be what they mean elsewhere. */
  choice?: string | undefined
}

/** One column of a list's file. */
export interface Column extends Value {
  /** Where the value lies in a record: the names of its fields, from the outside in. */
  path: readonly string[]
  /** The value is an id, and the cell has the name of that record: by the name of the field of such ids. */
  namesOf?: string
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

/** Where a record says more of others than a cell can: what is told of each. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  roles: ['roleName'],
  students: ['fullName'],
  children: ['fullName'],
  guardians: ['fullName', 'relationship', 'phone'],
  groups: ['groupName'],
  balances: ['amountMinor', 'currency'],
  payments: ['invoiceNumber', 'amount', 'method'],
  cheques: ['number', 'dueOn', 'amount'],
  allocations: ['invoiceNumber', 'amount'],
  exams: ['title', 'score', 'maxScore'],
  signals: ['kind', 'detectedAt'],
  pendingCommands: ['kind', 'issuedAt'],
}

const MONEY: object = Money.entries

/** An identity number is what people read. */
const isId = (name: string): boolean => /(?:^id|Id|Ids)$/.test(name) && name !== 'nationalId'

const partsOf = (field: string, entries: Readonly<Record<string, AnySchema>>): readonly Column[] => {
  const names = PARTS[field] ?? Object.keys(entries).filter((name) => !isId(name))
  return names.map((name) => {
    const schema = entries[name]
    if (!schema) throw new Error(`PARTS in src/http/list-files/columns.ts names ${field}.${name}, which is not there.`)
    return unwrapped(schema).entries === MONEY
      ? { path: [name, 'amountMinor'], kind: 'amount', field: `${field}.${name}` }
      : { path: [name], ...valueOf(`${field}.${name}`, schema) }
  })
}

const valueOf = (field: string, schema: AnySchema): Value => {
  const inner = unwrapped(schema)
  switch (inner.type) {
    case 'array': {
      const entries = inner.item && unwrapped(inner.item).entries
      if (entries) return { kind: 'records', field, parts: partsOf(field, entries) }
      return inner.item ? { kind: 'list', field, element: valueOf(field, inner.item) } : { kind: 'any', field }
    }
    case 'picklist':
      return {
        kind: 'choice',
        field,
        codes: (inner as unknown as { options: readonly string[] }).options,
        choice: nameOf(inner),
      }
    case 'number':
      return { kind: field.endsWith('Minor') ? 'amount' : 'number', field }
    case 'boolean':
      return { kind: 'boolean', field }
    case 'string':
    case 'literal': {
      const format = formatOf(schema)
      return { kind: format === 'date' ? 'day' : format === 'date-time' ? 'instant' : 'text', field }
    }
    default:
      return { kind: 'any', field }
  }
}

const columnsIn = (schema: AnySchema, path: readonly string[]): Column[] =>
  Object.entries(unwrapped(schema).entries ?? {}).flatMap(([name, field]): Column[] => {
    const here = [...path, name]
    const { entries } = unwrapped(field)
    if (entries === MONEY) return [{ path: [...here, 'amountMinor'], kind: 'amount', field: here.join('.') }]
    return entries ? columnsIn(field, here) : [{ path: here, ...valueOf(here.join('.'), field) }]
  })

const isOfId = ({ path }: Column): boolean => isId(path.at(-1) ?? '')
const isMoney = ({ path }: Column): boolean => path.at(-1) === 'amountMinor'

/** By the field of an id, whose names a record has if it has one of these. */
const SAYS: Readonly<Record<string, readonly string[]>> = {
  studentId: ['studentName', 'studentNumber'],
  groupId: ['groupName'],
  courseId: ['courseName', 'groupName', 'lessonCount'],
  guardianId: ['guardianName', 'guardian'],
  payerGuardianId: ['payerName'],
  teacherStaffId: ['teacherName'],
  branchId: ['branchName'],
  invoiceId: ['invoiceNumber'],
}

/** The head over the names: that of the field which holds them in other lists. */
const HEAD_OF: Readonly<Record<string, string>> = {
  studentId: 'studentName',
  groupId: 'groupName',
  courseId: 'courseName',
  guardianId: 'guardianName',
  payerGuardianId: 'payerName',
  teacherStaffId: 'teacherName',
  branchId: 'branchName',
  invoiceId: 'invoiceNumber',
}

/** The names of those whose ids alone a record has. */
const namesIn = (columns: readonly Column[]): Column[] => {
  const fields = new Set(columns.map(({ path: [name = ''] }) => name))
  return columns.flatMap(({ path }): Column[] => {
    const [id = '', ...deeper] = path
    const head = HEAD_OF[id]
    if (deeper.length > 0 || head === undefined || SAYS[id]?.some((name) => fields.has(name))) return []
    return [{ path: [head], kind: 'text', field: head, namesOf: id }]
  })
}

const columnsOfRecord = (record: AnySchema): Column[] => {
  const columns = columnsIn(record, [])
  // All amounts of a record have one currency.
  const amount = columns.find(isMoney)
  const isNamed = columns.some(({ path }) => path.length === 1 && path[0] === 'currency')
  const path = amount ? [...amount.path.slice(0, -1), 'currency'] : []
  const currency: Column[] = amount && !isNamed ? [{ path, kind: 'text', field: path.join('.') }] : []
  const names = namesIn(columns)
  const ofBranch = ({ namesOf }: Column): boolean => namesOf === 'branchId'
  // What a person reads comes first, what only programs read last.
  return [
    ...names.filter((one) => !ofBranch(one)),
    ...columns.filter((one) => !isOfId(one)),
    ...currency,
    ...names.filter(ofBranch),
    ...columns.filter(isOfId),
  ]
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
