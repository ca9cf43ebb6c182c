/** The day of `2012-11-24T00:00:00`. */
export const isoText = (text: string): string => text.replace(/T00:00(?::00(?:\.0+)?)?Z?$/, '').replace('T', ' ')

const PIECE = 65_536

/** A text as the pieces of a part, for readers of XML. */
export async function* inPieces(text: string): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}
