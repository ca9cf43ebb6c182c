import { crc32, inflateRawSync } from 'node:zlib'
import { UnreadableSheet } from './sheet.ts'

/*
 * Takes the few parts that a table needs out of a workbook, which may be hostile: nothing else in it is unpacked, and
 * nothing is unpacked beyond its limit. What a library then reads is an archive of these parts alone, made here.
 */

const END = Buffer.from('PK\u0005\u0006')
const END_BYTES = 22
const MAX_COMMENT_BYTES = 0xffff
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
const LOCAL = 0x04034b50
const LOCAL_BYTES = 30
const STORED = 0
const DEFLATED = 8
const MAX_ENTRIES = 10_000
/** What all parts may come to. 50,000 rows of twenty columns are some 60 MB. */
const MAX_UNPACKED_BYTES = 200 * 1024 * 1024

/** Macros, pictures, links to other files and all else stay packed. */
const isNeeded = (name: string): boolean =>
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|xl\/workbook\.xml|xl\/_rels\/workbook\.xml\.rels|xl\/sharedStrings\.xml|xl\/styles\.xml|xl\/worksheets\/[\w-]+\.xml)$/i.test(
    name,
  )

interface Entry {
  name: string
  method: number
  packedBytes: number
  start: number
}

const no = (): never => {
  throw new UnreadableSheet('not_a_table')
}

const entriesOf = (archive: Buffer): Entry[] => {
  const from = Math.max(0, archive.length - END_BYTES - MAX_COMMENT_BYTES)
  const at = archive.subarray(from).lastIndexOf(END)
  if (at === -1 || from + at + END_BYTES > archive.length) return no()
  const end = archive.subarray(from + at)
  let place = end.readUInt32LE(16)
  const entries: Entry[] = []
  for (let left = Math.min(end.readUInt16LE(10), MAX_ENTRIES); left > 0; left -= 1) {
    if (place + ENTRY_BYTES > archive.length || archive.readUInt32LE(place) !== ENTRY) return no()
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) => archive.readUInt16LE(place + field)) as [
      number,
      number,
      number,
    ]
    const name = archive.toString('utf8', place + ENTRY_BYTES, place + ENTRY_BYTES + nameBytes)
    entries.push({
      name,
      method: archive.readUInt16LE(place + 10),
      packedBytes: archive.readUInt32LE(place + 20),
      start: archive.readUInt32LE(place + 42),
    })
    place += ENTRY_BYTES + nameBytes + extraBytes + commentBytes
  }
  return entries
}

const unpack = (archive: Buffer, { method, packedBytes, start }: Entry, limit: number): Buffer => {
  if (start + LOCAL_BYTES > archive.length || archive.readUInt32LE(start) !== LOCAL) return no()
  const begin = start + LOCAL_BYTES + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28)
  const packed = archive.subarray(begin, begin + packedBytes)
  if (packed.length > limit) throw new UnreadableSheet('too_large')
  if (method === STORED) return packed
  if (method !== DEFLATED) return no()
  try {
    return inflateRawSync(packed, { maxOutputLength: limit })
  } catch (error) {
    throw new UnreadableSheet(
      (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'not_a_table',
    )
  }
}

/** Office declares no types or entities of its own in its parts, and writes them in UTF-8. */
const isPlainXml = (part: Buffer): boolean =>
  !part.includes(0) && !part.includes('<!DOCTYPE') && !part.includes('<!ENTITY')

/** @throws UnreadableSheet */
export const partsOf = (archive: Buffer): Map<string, Buffer> => {
  const parts = new Map<string, Buffer>()
  let left = MAX_UNPACKED_BYTES
  for (const entry of entriesOf(archive)) {
    if (!isNeeded(entry.name) || parts.has(entry.name)) continue
    const part = unpack(archive, entry, left)
    if (!isPlainXml(part)) return no()
    left -= part.length
    parts.set(entry.name, part)
  }
  return parts
}

/** An archive of these parts, not packed. */
export const archiveOf = (parts: ReadonlyMap<string, Buffer>): Buffer => {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let start = 0
  for (const [name, part] of parts) {
    const path = Buffer.from(name)
    // The fields that the two heads of an entry share, from the flags on.
    const shared = Buffer.alloc(24)
    shared.writeUInt32LE(crc32(part), 8)
    shared.writeUInt32LE(part.length, 12)
    shared.writeUInt32LE(part.length, 16)
    shared.writeUInt16LE(path.length, 20)
    const local = Buffer.alloc(6)
    local.writeUInt32LE(LOCAL)
    local.writeUInt16LE(20, 4)
    files.push(local, shared, path, part)
    const entry = Buffer.alloc(8)
    entry.writeUInt32LE(ENTRY)
    entry.writeUInt16LE(20, 6)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(start, 10)
    directory.push(entry, shared, rest, path)
    start += LOCAL_BYTES + path.length + part.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(END_BYTES)
  END.copy(end)
  end.writeUInt16LE(parts.size, 8)
  end.writeUInt16LE(parts.size, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(start, 16)
  return Buffer.concat([...files, entries, end])
}
