import type { Schemas } from '../../api/schemas.ts'

export type Kind = Schemas['NewImport']['kind']
export type Field = NonNullable<Schemas['NewImport']['mapping']>[string]

export const WHO = ['guardian', 'guardian2', 'mother', 'father'] as const
const PARTS = ['FirstName', 'LastName', 'Name', 'Phone', 'Email', 'Relationship'] as const

const GUARDIANS = WHO.flatMap((who) =>
  PARTS.filter((part) => part !== 'Relationship' || who.startsWith('guardian')).map((part) => `${who}${part}` as Field),
)

const NAMES: readonly Field[] = ['firstName', 'lastName', 'fullName']
const WHOSE: readonly Field[] = ['studentNumber', 'nationalId', ...NAMES, 'phone', 'birthDate']

/** What a column can hold, in the order in which one looks for it. */
export const FIELDS: Readonly<Record<Kind, readonly Field[]>> = {
  students: [
    'studentNumber',
    ...NAMES,
    'nationalId',
    'phone',
    'email',
    'birthDate',
    'gender',
    'status',
    'branch',
    'line1',
    'city',
    'tags',
    'notes',
    ...GUARDIANS,
    'knownPhone',
  ],
  staff: [...NAMES, 'phone', 'email', 'title', 'branch', 'isActive'],
  enrollments: [...WHOSE, 'group', 'course', 'enrolledAt', 'price'],
  balances: [...WHOSE, 'balance', 'currency', 'dueDate', 'description'],
}

type TableType = Schemas['UploadRequest']['mimeType']

/** By the ending of a file's name; the server sees by its first bytes what it is. */
const TYPES: Readonly<Record<string, TableType>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  xls: 'application/vnd.ms-excel',
  xml: 'application/vnd.ms-excel',
  html: 'application/vnd.ms-excel',
  htm: 'application/vnd.ms-excel',
  csv: 'text/csv',
  txt: 'text/csv',
  tsv: 'text/tab-separated-values',
}

/** For the dialog in which one chooses a file. */
export const TABLE_TYPES = [...Object.keys(TYPES).map((ending) => `.${ending}`), ...new Set(Object.values(TYPES))]

/** By its name: what browsers say of the type of a CSV depends on which programs the computer has. */
export const tableTypeOf = ({ name }: Pick<File, 'name'>): TableType | undefined => {
  const ending = /\.(\w+)$/.exec(name.toLowerCase())?.[1] ?? ''
  return Object.hasOwn(TYPES, ending) ? TYPES[ending] : undefined
}
