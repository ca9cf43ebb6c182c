import type { Schemas } from '../../api/schemas.ts'

type FileType = Schemas['UploadRequest']['mimeType']

/** By the ending, because browsers do not agree on the type of a table, and of some files know none. */
const TYPES: Readonly<Record<string, FileType>> = {
  pdf: 'application/pdf',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  xls: 'application/vnd.ms-excel',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
}

/** For the dialog in which one chooses a file. */
export const ENDINGS: readonly string[] = Object.keys(TYPES).map((ending) => `.${ending}`)

export const MOST_BYTES = 20 * 1024 * 1024

/** Of what type a file is, by its name; undefined: of none that the server takes. */
export const typeOf = (name: string): FileType | undefined => {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(TYPES, ending) ? TYPES[ending] : undefined
}

/** Why the server would not take a file; undefined: it would. */
export const faultOf = ({ name, size }: { name: string; size: number }): 'type' | 'size' | 'empty' | undefined => {
  if (typeOf(name) === undefined) return 'type'
  if (size === 0) return 'empty'
  return size > MOST_BYTES ? 'size' : undefined
}
