import { fromBufferPromise, type Entry } from 'yauzl'
import { UnreadableSheet } from '../sheet.ts'

/** What all parts that are read may come to. 50,000 rows of twenty columns are some 60 MB. */
const MAX_UNPACKED_BYTES = 200 * 1024 * 1024
/** A file that says the same again and again comes to hundreds of times its size, a list of people to some twenty. */
const MOST_TIMES = 50
const ALWAYS_BYTES = 50 * 1024 * 1024
/** As many parts as a workbook of thousands of sheets has. */
const MAX_PARTS = 10_000

/** The parts of a workbook, which may be hostile: none is unpacked before it is asked for. */
export interface WorkbookArchive {
  /**
   * The bytes of a part, unpacked as they are taken; undefined: there is none of this name.
   * @throws UnreadableSheet while it is read, when all parts come to too much, whatever sizes the archive claims
   */
  open(name: string): Promise<AsyncIterable<Uint8Array> | undefined>
}

/** @throws UnreadableSheet, or yauzl's error for what is no archive */
export const openArchive = async (workbook: Buffer): Promise<WorkbookArchive> => {
  const archive = await fromBufferPromise(workbook, { validateEntrySizes: false })
  if (archive.entryCount > MAX_PARTS) throw new UnreadableSheet('too_large')
  const parts = new Map<string, Entry>()
  for await (const entry of archive.eachEntry()) {
    const name = entry.fileName.toLowerCase()
    if (!parts.has(name)) parts.set(name, entry)
    if (parts.size > MAX_PARTS) throw new UnreadableSheet('too_large')
  }
  let left = Math.min(MAX_UNPACKED_BYTES, ALWAYS_BYTES + MOST_TIMES * workbook.length)
  const counted = async function* (part: AsyncIterable<Buffer>) {
    for await (const bytes of part) {
      left -= bytes.length
      if (left < 0) throw new UnreadableSheet('too_large')
      yield bytes
    }
  }
  return {
    open: async (name) => {
      const entry = parts.get(name.toLowerCase())
      return entry && counted(await archive.openReadStreamPromise(entry))
    },
  }
}
