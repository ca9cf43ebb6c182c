import { streamXlsxRows } from 'hucre/xlsx'
import { SheetBuilder, UnreadableSheet, type Sheet } from './sheet.ts'
import { neededParts } from './workbook-parts.ts'

/** A formula counts as its last result, which the file holds beside it: none is computed. */
const textIn = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString().slice(0, 10)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** The first sheet of a workbook. @throws UnreadableSheet */
export const readXlsx = async (bytes: Uint8Array): Promise<Sheet> => {
  const sheet = new SheetBuilder()
  try {
    const parts = await neededParts(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    for await (const { index, values } of streamXlsxRows(parts)) sheet.add(index + 1, values.map(textIn))
  } catch (error) {
    throw error instanceof UnreadableSheet ? error : new UnreadableSheet('not_a_table')
  }
  return sheet.build()
}
