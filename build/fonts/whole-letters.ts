import { Blob, Buffer as Text, Direction, Face, Font, shape } from 'harfbuzzjs'
import { Glyphs, readTables, writeTables, type Part } from './sfnt.ts'
import { substitutions, type Lookup } from './substitutions.ts'

/**
 * Noto Sans Arabic draws a letter and its dots as glyphs of their own, and programs that read a PDF find neither the
 * letter nor the word: فاتورة is read as "فف تات ة ورة". The font that is made here looks the same and has one glyph for
 * each character in each of its forms, which all programs read.
 */

const TATWEEL = '\u0640'

/** A letter gets its form from what stands before and after it: a tatweel joins to both sides. */
const FORMS = { isol: ['', ''], init: ['', TATWEEL], medi: [TATWEEL, TATWEEL], fina: [TATWEEL, ''] } as const
type Form = keyof typeof FORMS
const JOINED = ['init', 'medi', 'fina'] as const

const LAM = '\u0644'
const ALEF = '\u0627'
const ALEFS = ['\u0622', '\u0623', '\u0625', ALEF]
/** Lam and alef are one drawing: the form of the lam, and that of the drawing. */
const PAIRS = [
  ['init', 'isol'],
  ['medi', 'fina'],
] as const

const SHADDA = '\u0651'
const VOWELS = ['\u064b', '\u064c', '\u064d', '\u064e', '\u064f', '\u0650']
/** What stands above and below a letter. */
const MARKS = [...VOWELS, '\u0652', '\u0670', SHADDA, ...VOWELS.map((vowel) => SHADDA + vowel)]

const LETTER = /^(?!\u0640)[\u0620-\u08c7]$(?<=\p{L})/u
/** Those that people here write with marks. */
const MARKED = /^[\u0621-\u064a]$/

/** Glyphs side by side, and the width that they take. */
interface Drawing {
  parts: Part[]
  advance: number
}

/** Draws as the source does. */
class Pen {
  readonly #font: Font
  readonly #buffer = new Text()
  readonly letters: readonly string[]

  constructor(source: Buffer) {
    const face = new Face(new Blob(source))
    this.#font = new Font(face)
    this.letters = Array.from(face.collectUnicodes(), (character) => String.fromCodePoint(character)).filter((text) =>
      LETTER.test(text),
    )
  }

  /** The glyph of a character that stands alone. */
  plain(character: string): number {
    return this.#font.nominalGlyph(character.codePointAt(0) ?? 0) ?? 0
  }

  draw(text: string, form: Form): Drawing {
    const [before, after] = FORMS[form]
    this.#buffer.reset()
    this.#buffer.addText(before + text + after, before.length, text.length)
    this.#buffer.guessSegmentProperties()
    this.#buffer.setDirection(Direction.RTL)
    shape(this.#font, this.#buffer)
    let advance = 0
    const glyphs = this.#buffer.getGlyphInfosAndPositions()
    const parts = glyphs.map(({ codepoint: glyph, xAdvance = 0, xOffset = 0, yOffset = 0 }) => {
      advance += xAdvance
      return { glyph, x: advance - xAdvance + xOffset, y: yOffset }
    })
    return { parts, advance }
  }
}

/** The glyphs that are added, and what they take the place of. */
class WholeLetters {
  readonly #pen: Pen
  readonly #glyphs: Glyphs
  readonly #forms: Record<Form, Map<number, number>> = {
    isol: new Map(),
    init: new Map(),
    medi: new Map(),
    fina: new Map(),
  }
  readonly #ofLetters = new Map<string, number>()
  readonly #marked: { of: [number, ...number[]]; glyph: number }[] = []

  constructor(pen: Pen, glyphs: Glyphs) {
    this.#pen = pen
    this.#glyphs = glyphs
  }

  #add({ parts, advance }: Drawing): number {
    return this.#glyphs.add(parts, advance)
  }

  #glyphOf(letter: string, form: Form): number {
    return this.#ofLetters.get(form + letter) ?? 0
  }

  /** Adds a glyph with each of the marks: a mark that is a glyph of its own tears the word apart. */
  #addMarked(glyph: number, draw: (marks: string) => Drawing): void {
    for (const marks of MARKS) {
      const glyphs = Array.from(marks, (mark) => this.#pen.plain(mark))
      this.#marked.push({ of: [glyph, ...glyphs], glyph: this.#add(draw(marks)) })
    }
  }

  addLetters(): void {
    for (const letter of this.#pen.letters) {
      const alone = JSON.stringify(this.#pen.draw(letter, 'isol'))
      for (const form of ['isol', ...JOINED] as const) {
        const drawing = this.#pen.draw(letter, form)
        // The letter does not join to this side.
        if (form !== 'isol' && JSON.stringify(drawing) === alone) continue
        const glyph = this.#add(drawing)
        this.#ofLetters.set(form + letter, glyph)
        this.#forms[form].set(form === 'isol' ? this.#pen.plain(letter) : this.#glyphOf(letter, 'isol'), glyph)
        if (MARKED.test(letter)) this.#addMarked(glyph, (marks) => this.#pen.draw(letter + marks, form))
      }
    }
  }

  /**
   * Programs read the two characters of one glyph in the wrong order. So the alef has the whole drawing, and the lam to its
   * right nothing but its share of the width.
   */
  #addPair(form: 'isol' | 'fina'): { lam: number; alefs: Map<number, number> } {
    const bare = this.#pen.draw(LAM + ALEF, form)
    const share = Math.round(bare.advance / 2)
    const known = bare.parts.map(({ glyph }) => glyph)
    const lam = this.#add({ parts: [], advance: share })
    this.#addMarked(lam, (marks) => ({
      parts: this.#pen
        .draw(LAM + marks + ALEF, form)
        .parts.filter(({ glyph }) => !known.includes(glyph))
        .map((part) => ({ ...part, x: part.x - (bare.advance - share) })),
      advance: share,
    }))
    const alefs = ALEFS.map((alef) => {
      const draw = (marks: string): Drawing => {
        const { parts, advance } = this.#pen.draw(LAM + alef + marks, form)
        return { parts, advance: advance - share }
      }
      const glyph = this.#add(draw(''))
      this.#addMarked(glyph, draw)
      return [this.#glyphOf(alef, 'fina'), glyph] as const
    })
    return { lam, alefs: new Map(alefs) }
  }

  /** What takes the place of what, once all letters are added. */
  substitutions(): Buffer<ArrayBuffer> {
    const pairs = PAIRS.map(([form, drawn]) => ({ from: this.#glyphOf(LAM, form), ...this.#addPair(drawn) }))
    const alefs = ALEFS.map((alef) => this.#glyphOf(alef, 'fina'))
    const swaps: Lookup[] = [
      ...Object.values(this.#forms),
      new Map(pairs.map(({ from, lam }) => [from, lam])),
      ...pairs.map((pair) => pair.alefs),
    ].map((each) => ({ kind: 'single', swaps: each }))
    const [isol = 0, init = 0, medi = 0, fina = 0, lams = 0, ...ofPairs] = swaps.keys()
    const joins: Lookup[] = [
      { kind: 'context', before: [], glyphs: pairs.map(({ from }) => from), after: alefs, by: lams },
      ...pairs.map(({ lam }, at): Lookup => ({
        kind: 'context',
        before: [lam],
        glyphs: alefs,
        after: [],
        by: ofPairs[at] ?? 0,
      })),
      { kind: 'ligature', ligatures: this.#marked },
    ]
    const features = [
      { tag: 'ccmp', lookups: [isol] },
      { tag: 'fina', lookups: [fina] },
      { tag: 'init', lookups: [init] },
      { tag: 'medi', lookups: [medi] },
      { tag: 'rlig', lookups: Array.from(joins.keys(), (at) => swaps.length + at) },
    ]
    return substitutions(['DFLT', 'arab'], features, [...swaps, ...joins])
  }
}

/** A table without the names of glyphs. */
const NO_NAMES = Buffer.alloc(32)
NO_NAMES.writeUInt32BE(0x0003_0000)

/** @param source Noto Sans Arabic, as TrueType */
export const wholeLetters = (source: Buffer): Buffer => {
  const tables = readTables(source)
  const glyphs = new Glyphs(tables)
  const whole = new WholeLetters(new Pen(source), glyphs)
  whole.addLetters()
  tables.set('GSUB', whole.substitutions())
  glyphs.save()
  // The places of marks are of glyphs that nothing uses any more.
  tables.delete('GPOS')
  tables.set('post', Buffer.from(NO_NAMES))
  return writeTables(tables)
}
