import type { Currency } from '#kernel/values/money.ts'
import type { Spell } from './spell.ts'

type Gender = 'male' | 'female'

const listed = (...words: string[]): string[] => words.flatMap((some) => some.split(', '))

/** By the gender of what is counted, which from three to ten is the opposite of the number's own. Without vowel marks. */
const SMALL: Record<Gender, readonly string[]> = {
  male: listed(
    'صفر, واحد, اثنان, ثلاثة, أربعة, خمسة, ستة, سبعة, ثمانية, تسعة, عشرة, أحد عشر',
    'اثنا عشر, ثلاثة عشر, أربعة عشر, خمسة عشر, ستة عشر, سبعة عشر, ثمانية عشر, تسعة عشر',
  ),
  female: listed(
    'صفر, واحدة, اثنتان, ثلاث, أربع, خمس, ست, سبع, ثماني, تسع, عشر, إحدى عشرة',
    'اثنتا عشرة, ثلاث عشرة, أربع عشرة, خمس عشرة, ست عشرة, سبع عشرة, ثماني عشرة, تسع عشرة',
  ),
}
const TENS = ['', '', 'عشرون', 'ثلاثون', 'أربعون', 'خمسون', 'ستون', 'سبعون', 'ثمانون', 'تسعون']
const HUNDREDS = ['', 'مائة', 'مئتان', 'ثلاثمائة', 'أربعمائة', 'خمسمائة', 'ستمائة', 'سبعمائة', 'ثمانمائة', 'تسعمائة']

/** A noun by the number before it. */
interface Noun {
  one: string
  two: string
  /** From three to ten: the plural. */
  few: string
  /** From eleven to ninety-nine: the accusative. */
  many: string
  /** After whole hundreds, thousands and millions: the genitive. */
  whole: string
  gender: Gender
}

/** A dual loses its last letter before the noun that it counts: مئتا شيكل. */
const beforeNoun = (dual: string): string => dual.replace(/\u0627\u0646$/, 'ا')

const SCALES: readonly [size: number, noun: Noun][] = [
  [1e9, { one: 'مليار', two: 'ملياران', few: 'مليارات', many: 'مليارا', whole: 'مليار', gender: 'male' }],
  [1e6, { one: 'مليون', two: 'مليونان', few: 'ملايين', many: 'مليونا', whole: 'مليون', gender: 'male' }],
  [1e3, { one: 'ألف', two: 'ألفان', few: 'آلاف', many: 'ألفا', whole: 'ألف', gender: 'male' }],
]

const CENT: Noun = { one: 'سنت واحد', two: 'سنتان', few: 'سنتات', many: 'سنتا', whole: 'سنت', gender: 'male' }
const NOUNS: Record<Currency, { whole: Noun; part: Noun }> = {
  ILS: {
    whole: { one: 'شيكل واحد', two: 'شيكلان', few: 'شواكل', many: 'شيكلا', whole: 'شيكل', gender: 'male' },
    part: { one: 'أغورة واحدة', two: 'أغورتان', few: 'أغورات', many: 'أغورة', whole: 'أغورة', gender: 'female' },
  },
  USD: {
    whole: { one: 'دولار واحد', two: 'دولاران', few: 'دولارات', many: 'دولارا', whole: 'دولار', gender: 'male' },
    part: CENT,
  },
  EUR: {
    whole: { one: 'يورو واحد', two: 'يوروان', few: 'يورو', many: 'يورو', whole: 'يورو', gender: 'male' },
    part: CENT,
  },
}

const below100 = (n: number, gender: Gender): string => {
  const small = SMALL[gender]
  if (n < 20) return small[n] as string
  const tens = TENS[Math.floor(n / 10)] as string
  const unit = n % 10
  if (unit === 0) return tens
  // Alone, without a noun after it, eight of a feminine noun has no last letter.
  return `${unit === 8 && gender === 'female' ? 'ثمان' : small[unit]} و${tens}`
}

const AND = ' و'

/**
 * How many of a noun. One and two are said by the noun itself, and so is what is left of them after hundreds: 102 is a
 * hundred shekels and two shekels.
 * @param isBefore another noun follows, as the shekel after eleven thousand
 */
const counted = (n: number, noun: Noun, isBefore = false): string => {
  const before: ((isLast: boolean) => string)[] = []
  for (const [size, scale] of SCALES) {
    const group = Math.floor(n / size) % 1000
    if (group > 0) before.push((isLast) => counted(group, scale, isLast))
  }
  const hundreds = Math.floor(n / 100) % 10
  const ofHundreds = HUNDREDS[hundreds] as string
  if (hundreds > 0) before.push((isLast) => (isLast ? beforeNoun(ofHundreds) : ofHundreds))
  const rest = n % 100
  const isWhole = rest <= 2 && before.length > 0
  const said = before.map((say, at) => {
    const isLast = isWhole && at === before.length - 1
    return isLast ? `${say(true)} ${noun.whole}` : say(false)
  })
  if (rest === 1) said.push(noun.one)
  if (rest === 2) said.push(isBefore ? beforeNoun(noun.two) : noun.two)
  if (rest > 2) {
    const after = rest <= 10 ? noun.few : isBefore ? noun.whole : noun.many
    said.push(`${below100(rest, noun.gender)} ${after}`)
  }
  return said.join(AND)
}

/** As on receipts and cheques of the region, between فقط and لا غير. */
export const ar: Spell = (whole, part, currency) => {
  const nouns = NOUNS[currency]
  const said = [
    ...(whole > 0 ? [counted(whole, nouns.whole)] : []),
    ...(part > 0 ? [counted(part, nouns.part)] : []),
    ...(whole === 0 && part === 0 ? [`${SMALL.male[0]} ${nouns.whole.whole}`] : []),
  ].join(AND)
  return `فقط ${said} لا غير`
}
