import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { UnreadableSheet } from './sheet.ts'

/** What all parts may come to. 50,000 rows of twenty columns are some 60 MB. */
const MAX_UNPACKED_BYTES = 200 * 1024 * 1024

/** Macros, pictures, links to other files and all else stay packed. */
const isNeeded = (name: string): boolean =>
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|xl\/workbook\.xml|xl\/_rels\/workbook\.xml\.rels|xl\/sharedStrings\.xml|xl\/styles\.xml|xl\/worksheets\/[\w-]+\.xml)$/i.test(
    name,
  )

/** Office declares no types or entities of its own in its parts, and writes them in UTF-8. */
const isPlainXml = (part: Buffer): boolean =>
  !part.includes(0) && !part.includes('<!DOCTYPE') && !part.includes('<!ENTITY')

/**
 * Takes the few parts that a table needs out of a workbook, which may be hostile: nothing else in it is unpacked, and
 * nothing beyond the limit, whatever sizes the archive claims. What a library then reads is an archive of these alone.
 * @throws UnreadableSheet, or yauzl's error for what is no archive
 */
export const neededParts = async (workbook: Buffer): Promise<Buffer> => {
  const needed = new ZipFile()
  const taken = new Set<string>()
  let left = MAX_UNPACKED_BYTES
  const counted = async function* (part: AsyncIterable<Buffer>) {
    for await (const bytes of part) {
      left -= bytes.length
      if (left < 0) throw new UnreadableSheet('too_large')
      yield bytes
    }
  }
  const archive = await fromBufferPromise(workbook, { validateEntrySizes: false })
  for await (const entry of archive.eachEntry()) {
    if (!isNeeded(entry.fileName) || taken.has(entry.fileName)) continue
    const part = await buffer(counted(await archive.openReadStreamPromise(entry)))
    if (!isPlainXml(part)) throw new UnreadableSheet('not_a_table')
    taken.add(entry.fileName)
    // The library takes a packed sheet in pieces. One that is not packed it takes whole, which is slow beyond some
    // ten thousand rows.
    needed.addBuffer(part, entry.fileName, { compressionLevel: 1 })
  }
  needed.end()
  return buffer(needed.outputStream)
}
