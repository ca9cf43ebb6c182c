import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'

/*
 * An Office document is a ZIP archive with a part that says of what type it is. The archive may be hostile, and this
 * runs on the event loop: it reads the directory at the end and the one part, and bounds how much of both. A library
 * would walk all entries.
 */
const MAX_DIRECTORY_BYTES = 1024 * 1024
const MAX_ENTRIES = 10_000
/** The limit of the part, packed and unpacked. A workbook of a thousand sheets needs a tenth of it. */
const MAX_PART_BYTES = 1024 * 1024

const PART = Buffer.from('[Content_Types].xml')

const END = Buffer.from('PK\u0005\u0006')
const END_BYTES = 22
const MAX_COMMENT_BYTES = 0xffff
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
const LOCAL = 0x04034b50
const LOCAL_BYTES = 30
const STORED = 0
const DEFLATED = 8

export interface Archive {
  size: number
  /** Reads so many bytes, or those that there are. */
  read(start: number, length: number): Promise<Buffer>
}

interface Part {
  method: number
  packedBytes: number
  start: number
}

const inflate = promisify(inflateRaw)

/** The directory, or its first MAX_DIRECTORY_BYTES; empty: this is no ZIP archive. */
const directoryOf = async ({ size, read }: Archive): Promise<Buffer> => {
  const length = Math.min(size, END_BYTES + MAX_COMMENT_BYTES)
  const tail = await read(size - length, length)
  const end = tail.subarray(Math.max(0, tail.lastIndexOf(END)))
  if (end.length < END_BYTES || !end.subarray(0, END.length).equals(END)) return Buffer.alloc(0)
  return read(end.readUInt32LE(16), Math.min(end.readUInt32LE(12), MAX_DIRECTORY_BYTES))
}

const findPart = (directory: Buffer): Part | undefined => {
  let at = 0
  for (let entries = 0; entries < MAX_ENTRIES; entries += 1) {
    if (at + ENTRY_BYTES > directory.length || directory.readUInt32LE(at) !== ENTRY) return undefined
    const [name, extra, comment] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ]
    if (
      name === PART.length &&
      directory
        .subarray(at + ENTRY_BYTES)
        .subarray(0, name)
        .equals(PART)
    ) {
      const [method, packedBytes] = [directory.readUInt16LE(at + 10), directory.readUInt32LE(at + 20)]
      return { method, packedBytes, start: directory.readUInt32LE(at + 42) }
    }
    at += ENTRY_BYTES + name + extra + comment
  }
  return undefined
}

/** @returns undefined for a part that is too large, or packed in a way that Office does not use */
const unpack = async ({ read }: Archive, { method, packedBytes, start }: Part): Promise<Buffer | undefined> => {
  if (packedBytes > MAX_PART_BYTES) return undefined
  const local = await read(start, LOCAL_BYTES)
  if (local.length < LOCAL_BYTES || local.readUInt32LE(0) !== LOCAL) return undefined
  const packed = await read(start + LOCAL_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28), packedBytes)
  if (method === STORED) return packed
  return method === DEFLATED ? inflate(packed, { maxOutputLength: MAX_PART_BYTES }).catch(() => undefined) : undefined
}

/** Whether an archive is an Office document of this media type. */
export const isOpenXml = async (archive: Archive, type: string): Promise<boolean> => {
  const part = findPart(await directoryOf(archive))
  const text = part && (await unpack(archive, part))
  return text?.includes(`${type}.main+xml`) ?? false
}

/** Whether an archive is a document of LibreOffice of this media type: its first part says so, unpacked. */
export const isOpenDocument = async ({ read }: Archive, type: string): Promise<boolean> => {
  const said = `mimetype${type}`
  return (await read(LOCAL_BYTES, said.length)).toString('latin1') === said
}
