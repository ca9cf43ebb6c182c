/** What is read and written of the tables of a TrueType font. */

type Tables = Map<string, Buffer<ArrayBuffer>>

const HEADER = 12
const RECORD = 16

export const readTables = (font: Buffer): Tables => {
  const records = Array.from({ length: font.readUInt16BE(4) }, (_, at) => HEADER + at * RECORD)
  return new Map(
    records.map((at) => {
      const [offset, length] = [font.readUInt32BE(at + 8), font.readUInt32BE(at + 12)]
      return [font.toString('latin1', at, at + 4), Buffer.from(font.subarray(offset, offset + length))]
    }),
  )
}

export const uint16s = (...numbers: number[]): Buffer<ArrayBuffer> => {
  const bytes = Buffer.alloc(numbers.length * 2)
  numbers.forEach((number, at) => bytes.writeUInt16BE(number & 0xffff, at * 2))
  return bytes
}

const padded = (bytes: Buffer, to: number): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & (to - 1))])

const checksum = (bytes: Buffer): number => {
  const whole = padded(bytes, 4)
  let sum = 0
  for (let at = 0; at < whole.length; at += 4) sum = (sum + whole.readUInt32BE(at)) >>> 0
  return sum
}

/** Where the checksum of the whole font stands in `head`, and what it and that sum are together. */
const WHOLE_SUM = 8
const MAGIC = 0xb1b0afba

export const writeTables = (tables: Tables): Buffer => {
  const names = [...tables.keys()].toSorted()
  const power = Math.floor(Math.log2(names.length))
  const header = Buffer.concat([
    Buffer.from([0, 1, 0, 0]),
    uint16s(names.length, 16 << power, power, names.length * 16 - (16 << power)),
  ])
  tables.get('head')?.writeUInt32BE(0, WHOLE_SUM)
  const records: Buffer[] = []
  const bodies: Buffer[] = []
  let offset = HEADER + names.length * RECORD
  for (const name of names) {
    const body = tables.get(name) as Buffer
    const record = Buffer.alloc(RECORD)
    record.write(name, 'latin1')
    record.writeUInt32BE(checksum(body), 4)
    record.writeUInt32BE(offset, 8)
    record.writeUInt32BE(body.length, 12)
    records.push(record)
    bodies.push(padded(body, 4))
    offset += bodies.at(-1)?.length ?? 0
  }
  const font = Buffer.concat([header, ...records, ...bodies])
  const at = font.readUInt32BE(HEADER + names.indexOf('head') * RECORD + 8)
  font.writeUInt32BE((MAGIC - checksum(font)) >>> 0, at + WHOLE_SUM)
  return font
}

/** A glyph at its place within another one. */
export interface Part {
  glyph: number
  x: number
  y: number
}

/** Bits of a part of a composite glyph: its place is two words, a distance, and another part follows. */
const WORDS = 0x0001
const DISTANCE = 0x0002
const MORE = 0x0020

type Box = [left: number, bottom: number, right: number, top: number]

/** The glyphs of a font, to which others are added that are made of them. */
export class Glyphs {
  readonly #tables: Tables
  readonly #outlines: Buffer[]
  readonly #metrics: [advance: number, bearing: number][]

  constructor(tables: Tables) {
    this.#tables = tables
    const table = (name: string): Buffer => tables.get(name) as Buffer
    const count = table('maxp').readUInt16BE(4)
    const isLong = table('head').readInt16BE(50) === 1
    const offset = (at: number): number =>
      isLong ? table('loca').readUInt32BE(at * 4) : table('loca').readUInt16BE(at * 2) * 2
    const measured = table('hhea').readUInt16BE(34)
    const glyphs = Array.from({ length: count }, (_, at) => at)
    this.#outlines = glyphs.map((at) => table('glyf').subarray(offset(at), offset(at + 1)))
    this.#metrics = glyphs.map((at) => {
      const bearing = at < measured ? at * 4 + 2 : measured * 4 + (at - measured) * 2
      return [table('hmtx').readUInt16BE(Math.min(at, measured - 1) * 4), table('hmtx').readInt16BE(bearing)]
    })
  }

  #boxOf({ glyph, x, y }: Part): Box | undefined {
    const outline = this.#outlines[glyph] as Buffer
    if (outline.length === 0) return undefined
    const [left = 0, bottom = 0, right = 0, top = 0] = [2, 4, 6, 8].map((at) => outline.readInt16BE(at))
    return [left + x, bottom + y, right + x, top + y]
  }

  /** @returns the number of the new glyph */
  add(parts: readonly Part[], advance: number): number {
    const drawn = parts.filter((part) => this.#boxOf(part))
    const boxes = drawn.map((part) => this.#boxOf(part) as Box)
    const edge = (at: number, of: (...all: number[]) => number): number => of(...boxes.map((box) => box[at] as number))
    const left = boxes.length === 0 ? 0 : edge(0, Math.min)
    const box = [left, edge(1, Math.min), edge(2, Math.max), edge(3, Math.max)]
    const composite = drawn.map(({ glyph, x, y }, at) =>
      uint16s(WORDS | DISTANCE | (at < drawn.length - 1 ? MORE : 0), glyph, x, y),
    )
    this.#outlines.push(drawn.length === 0 ? Buffer.alloc(0) : Buffer.concat([uint16s(-1, ...box), ...composite]))
    return this.#metrics.push([advance, left]) - 1
  }

  /** Writes the glyphs back. */
  save(): void {
    const outlines = this.#outlines.map((outline) => padded(outline, 4))
    const places = Buffer.alloc((outlines.length + 1) * 4)
    let end = 0
    outlines.forEach((outline, at) => places.writeUInt32BE((end += outline.length), (at + 1) * 4))
    this.#tables.set('glyf', Buffer.concat(outlines))
    this.#tables.set('loca', places)
    this.#tables.set('hmtx', uint16s(...this.#metrics.flat()))
    this.#tables.get('head')?.writeInt16BE(1, 50)
    this.#tables.get('hhea')?.writeUInt16BE(outlines.length, 34)
    const most = this.#tables.get('maxp') as Buffer
    most.writeUInt16BE(outlines.length, 4)
    // The most points and contours of a composite, and its parts and depth: readers make room for so many.
    for (const [at, room] of [
      [10, 1000],
      [12, 100],
      [28, 16],
      [30, 4],
    ] as const) {
      most.writeUInt16BE(Math.max(room, most.readUInt16BE(at)), at)
    }
  }
}
