import { isOpenDocument, isOpenXml, type Archive } from './open-xml.ts'

interface MediaType {
  /** A file name without any of these gets the first. */
  extensions: readonly string[]
  /** What the first bytes are, in hexadecimal digits; undefined: text, which may begin with anything. */
  signature?: RegExp
  /** A ZIP archive that says inside of what type it is. */
  isArchive?: 'open_xml' | 'open_document'
  /** What has this ending is as often text. */
  mayBeText?: true
}

const OPEN_XML = 'application/vnd.openxmlformats-officedocument'
const ZIP = { signature: /^504b0304/, isArchive: 'open_xml' } as const

/** The media types that uploads may have. None that a browser executes (SVG, HTML), and no programs. */
const MEDIA_TYPES = {
  'image/jpeg': { extensions: ['jpg', 'jpeg'], signature: /^ffd8ff/ },
  'image/png': { extensions: ['png'], signature: /^89504e470d0a1a0a/ },
  'image/webp': { extensions: ['webp'], signature: /^52494646.{8}57454250/ },
  'image/gif': { extensions: ['gif'], signature: /^474946383[79]61/ },
  'application/pdf': { extensions: ['pdf'], signature: /^255044462d/ },
  [`${OPEN_XML}.wordprocessingml.document`]: { extensions: ['docx'], ...ZIP },
  [`${OPEN_XML}.spreadsheetml.sheet`]: { extensions: ['xlsx'], ...ZIP },
  'application/vnd.oasis.opendocument.spreadsheet': { extensions: ['ods'], ...ZIP, isArchive: 'open_document' },
  // Programs write XML of Excel 2003, or a page with a table, and call it .xls. No browser shows it as one.
  'application/vnd.ms-excel': { extensions: ['xls'], signature: /^d0cf11e0a1b11ae1/, mayBeText: true },
  'text/csv': { extensions: ['csv'] },
  'text/tab-separated-values': { extensions: ['tsv'] },
} satisfies Record<string, MediaType>

export const TAKEN_TYPES: readonly string[] = Object.keys(MEDIA_TYPES)
const taken: Readonly<Record<string, MediaType>> = MEDIA_TYPES

export const isPicture = (type: string): boolean => type.startsWith('image/')

/** How many bytes `beginsAs` needs. */
export const SIGNATURE_BYTES = 12

/** Whether a file that begins so may be of the type. It refuses most files of other types before more of them is read. */
export const beginsAs = (type: string, head: Buffer): boolean =>
  taken[type]?.mayBeText === true || hasSignature(type, head)

/** The type of a picture that begins so; undefined: it is none that browsers show. */
export const pictureType = (head: Buffer): string | undefined =>
  TAKEN_TYPES.find((type) => isPicture(type) && hasSignature(type, head))

const hasSignature = (type: string, head: Buffer): boolean => taken[type]?.signature?.test(head.toString('hex')) ?? true

/** UTF-16 with a byte order mark, in which spreadsheet programs write text too; half of the bytes of Latin are zero. */
const UTF_16 = /^(?:fffe|feff)/

/** Checks whether a file's bytes are text, part by part. */
export class TextCheck {
  isText = true
  #isUtf16: boolean | undefined

  look(bytes: Buffer): void {
    this.#isUtf16 ??= bytes.length === 0 ? undefined : UTF_16.test(bytes.subarray(0, 2).toString('hex'))
    if (this.isText && !this.#isUtf16 && bytes.includes(0)) this.isText = false
  }
}

/**
 * Whether a file that begins as its type is of the type.
 * @param text has seen all bytes
 */
export const isOfType = async (type: string, text: TextCheck, archive: Archive): Promise<boolean> => {
  const { signature, isArchive, mayBeText } = taken[type] ?? {}
  if (isArchive === 'open_xml') return isOpenXml(archive, type)
  if (isArchive === 'open_document') return isOpenDocument(archive, type)
  if (mayBeText && !text.isText) return hasSignature(type, await archive.read(0, SIGNATURE_BYTES))
  return signature !== undefined || text.isText
}

/** Characters that change the writing direction, which can disguise a file extension, and path separators. */
const MISLEADING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069/\\]/g

/** The name under which a browser saves the file; its extension always fits its type. */
export const downloadName = (originalName: string, type: string): string => {
  const name = originalName.replaceAll(MISLEADING, '_')
  const extensions = taken[type]?.extensions ?? []
  const ending = name.split('.').at(-1)?.toLowerCase() ?? ''
  return extensions.length === 0 || extensions.includes(ending) ? name : `${name}.${extensions[0]}`
}
