import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

const OPEN_XML = 'application/vnd.openxmlformats-officedocument'

export const ZIP_TYPES = {
  docx: `${OPEN_XML}.wordprocessingml.document`,
  xlsx: `${OPEN_XML}.spreadsheetml.sheet`,
}

interface Options {
  /** The part that says the type stands behind all others. */
  typesLast?: boolean
  compress?: boolean
  /** How many parts there are beside that one. */
  parts?: number
  /** How large that part is at least. */
  typesBytes?: number
  /** How long the comment of each part is, which stands in the directory. */
  commentBytes?: number
}

/** The archive of an Office document. @param type undefined: without the part that says it */
export const openXml = async (
  type: string | undefined,
  { typesLast = false, compress = true, parts = 2, typesBytes = 0, commentBytes = 0 }: Options = {},
): Promise<Buffer> => {
  const zip = new ZipFile()
  const addTypes = (): void => {
    const override = `<Override PartName="/document.xml" ContentType="${type}.main+xml"/>`
    const xml = `<?xml version="1.0"?><Types>${' '.repeat(typesBytes)}${override}</Types>`
    if (type !== undefined) zip.addBuffer(Buffer.from(xml), '[Content_Types].xml', { compress })
  }
  if (!typesLast) addTypes()
  // The types of yazl do not know of comments.
  const options = { compress, fileComment: 'c'.repeat(commentBytes) }
  for (let part = 0; part < parts; part += 1) {
    zip.addBuffer(Buffer.from('<part/>'), `parts/${part}.xml`, options)
  }
  if (typesLast) addTypes()
  zip.end()
  return buffer(zip.outputStream)
}

const END_BYTES = 22

/** The archive with so many more entries at the beginning of its directory, which lead nowhere. */
export const withEntries = (archive: Buffer, count: number): Buffer => {
  const end = Buffer.from(archive.subarray(-END_BYTES))
  const start = end.readUInt32LE(16)
  const entry = Buffer.alloc(47, 'x')
  entry.write('PK\u0001\u0002', 'latin1')
  entry.writeUInt16LE(1, 28)
  entry.fill(0, 30, 34)
  end.writeUInt32LE(end.readUInt32LE(12) + count * entry.length, 12)
  const entries = Array<Buffer>(count).fill(entry)
  return Buffer.concat([archive.subarray(0, start), ...entries, archive.subarray(start, -END_BYTES), end])
}

/**
 * An archive whose entries do not say how long they are: whoever walks them has to look for the end of each. It has no
 * directory.
 */
export const zipWithoutSizes = (entries: number): Buffer => {
  const name = Buffer.from('an entry')
  const local = Buffer.alloc(30)
  local.write('PK\u0003\u0004', 'latin1')
  // The sizes follow the bytes.
  local.writeUInt16LE(0x08, 6)
  local.writeUInt16LE(8, 8)
  local.writeUInt16LE(name.length, 26)
  const descriptor = Buffer.alloc(16)
  descriptor.write('PK\u0007\u0008', 'latin1')
  const body = Buffer.alloc(1400, 'P')
  descriptor.writeUInt32LE(body.length, 8)
  descriptor.writeUInt32LE(body.length, 12)
  return Buffer.concat(Array<Buffer>(entries).fill(Buffer.concat([local, name, body, descriptor])))
}
