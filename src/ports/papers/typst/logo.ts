/** A picture that papers can hold: each paper holds it again, and a small file may be a picture that fills the memory. */
const MOST_BYTES = 2_000_000
const MOST_PIXELS = 8_000_000
/** A profile of colours is packed in a PNG, to a thousandth at the least, and unpacked whole. Those of screens have some kilobytes. */
const MOST_PROFILE_BYTES = 65_536

type Size = [width: number, height: number]

/** The size stands in the first frame header: a segment C0 to CF, but for C4, C8 and CC, which are tables. */
const jpegSize = (bytes: Buffer): Size | undefined => {
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const kind = bytes[at + 1] ?? 0
    if (kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind)) {
      return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)]
    }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

const webpSize = (bytes: Buffer): Size | undefined => {
  if (bytes.length < 30) return undefined
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1]
    case 'VP8 ':
      return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff]
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
    }
    default:
      return undefined
  }
}

/** Width and height in pixels, from the header of a PNG, JPEG, GIF or WebP; undefined: it is none of them. */
const sizeOf = (bytes: Buffer): Size | undefined => {
  if (bytes.length < 24) return undefined
  const head = bytes.toString('latin1', 0, 12)
  if (head.startsWith('\x89PNG')) return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  if (head.startsWith('\xff\xd8')) return jpegSize(bytes)
  if (head.startsWith('GIF8')) return [bytes.readUInt16LE(6), bytes.readUInt16LE(8)]
  return head.startsWith('RIFF') && head.endsWith('WEBP') ? webpSize(bytes) : undefined
}

/** How long the profiles of colours are that a PNG has, as they are packed. They stand before the picture. */
const profileBytes = (png: Buffer): number => {
  let sum = 0
  for (let at = 8; at + 12 <= png.length; at += 12 + png.readUInt32BE(at)) {
    const kind = png.toString('latin1', at + 4, at + 8)
    if (kind === 'IDAT') break
    if (kind === 'iCCP') sum += png.readUInt32BE(at)
  }
  return sum
}

export const isPrintable = (logo: Buffer): boolean => {
  const [width, height] = sizeOf(logo) ?? [Infinity, 1]
  if (logo.length > MOST_BYTES || width * height > MOST_PIXELS) return false
  return !logo.toString('latin1', 0, 4).startsWith('\x89PNG') || profileBytes(logo) <= MOST_PROFILE_BYTES
}
