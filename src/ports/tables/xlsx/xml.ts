import { SaxesParser } from 'saxes'
import { UnreadableSheet } from '../sheet.ts'

/** What a part of a workbook says, as it is read. Names are without the prefix of their namespace. */
export interface XmlReader {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
  /** Nothing that comes is of use any more. */
  isDone?(): boolean
}

/** Office nests its elements some ten deep. */
const MAX_DEPTH = 100
/** The longest text, tag or comment. */
const MAX_TOKEN_BYTES = 4 * 1024 * 1024

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/**
 * Reads a part piece by piece: nothing of it stays in memory but what the reader keeps. Office declares no types or
 * entities of its own in its parts, and writes them in UTF-8: all else is refused.
 * @throws UnreadableSheet, or an Error for what is no XML
 */
export const readXml = async (part: AsyncIterable<Uint8Array>, reader: XmlReader): Promise<void> => {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  // Without a handler for its errors it throws them.
  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false })
  let depth = 0
  let quietBytes = 0
  parser.on('doctype', () => {
    throw new UnreadableSheet('not_a_table')
  })
  // What comes behind in the same piece is read no more.
  const isDone = (): boolean => reader.isDone?.() ?? false
  parser.on('opentag', ({ name, attributes }) => {
    quietBytes = 0
    depth += 1
    if (depth > MAX_DEPTH) throw new UnreadableSheet('not_a_table')
    if (!isDone()) reader.open(localName(name), attributes)
  })
  const onText = (text: string): void => {
    if (!isDone()) reader.text?.(text)
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.on('closetag', ({ name }) => {
    quietBytes = 0
    depth -= 1
    if (!isDone()) reader.close?.(localName(name))
  })
  for await (const bytes of part) {
    quietBytes += bytes.length
    parser.write(decoder.decode(bytes, { stream: true }))
    if (quietBytes > MAX_TOKEN_BYTES) throw new UnreadableSheet('too_large')
    if (isDone()) return
  }
  parser.write(decoder.decode())
  parser.close()
}
