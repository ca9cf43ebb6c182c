import { once } from '#kernel/basics/once.ts'

const graphemes = once(() => new Intl.Segmenter())

/** Names are other people's words: what would move the cursor, start a line or turn its direction is left out. */
export const printable = (text: string): string => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')

/** How many places a terminal gives to a text: vowel signs share the place of their letter. */
const widthOf = (text: string): number => [...graphemes().segment(text)].length

/**
 * Lays rows out in columns; cells may hold other people's words. Names that may be Arabic or Hebrew go into the last column:
 * a terminal that turns them round then leaves the columns before them in their places.
 * @returns lines
 */
export const table = (rows: readonly (readonly string[])[]): string[] => {
  const cells = rows.map((row) => row.map(printable))
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => widthOf(row[column] ?? ''))))
  return cells.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  )
}
