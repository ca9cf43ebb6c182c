import type { Currency } from '#kernel/values/money.ts'
import type { Spell } from './spell.ts'

type Gender = 'male' | 'female'

const listed = (...words: string[]): string[] => words.flatMap((some) => some.split(', '))

/** By the gender of what is counted: three shekels are שלושה, three agorot שלוש. */
const SMALL: Record<Gender, readonly string[]> = {
  male: listed(
    'אפס, אחד, שניים, שלושה, ארבעה, חמישה, שישה, שבעה, שמונה, תשעה, עשרה, אחד עשר',
    'שנים עשר, שלושה עשר, ארבעה עשר, חמישה עשר, שישה עשר, שבעה עשר, שמונה עשר, תשעה עשר',
  ),
  female: listed(
    'אפס, אחת, שתיים, שלוש, ארבע, חמש, שש, שבע, שמונה, תשע, עשר, אחת עשרה',
    'שתים עשרה, שלוש עשרה, ארבע עשרה, חמש עשרה, שש עשרה, שבע עשרה, שמונה עשרה, תשע עשרה',
  ),
}
const TENS = ['', '', 'עשרים', 'שלושים', 'ארבעים', 'חמישים', 'שישים', 'שבעים', 'שמונים', 'תשעים']
const HUNDREDS = ['', 'מאה', 'מאתיים', ...SMALL.female.slice(3, 10).map((digit) => `${digit} מאות`)]
/** From three to ten thousand. */
const OF_THOUSANDS = ['', '', '', 'שלושת', 'ארבעת', 'חמשת', 'ששת', 'שבעת', 'שמונת', 'תשעת', 'עשרת']

interface Noun {
  one: string
  two: string
  many: string
  gender: Gender
}

const CENT: Noun = { one: 'סנט אחד', two: 'שני סנטים', many: 'סנטים', gender: 'male' }
const NOUNS: Record<Currency, { whole: Noun; part: Noun }> = {
  ILS: {
    whole: { one: 'שקל חדש אחד', two: 'שני שקלים חדשים', many: 'שקלים חדשים', gender: 'male' },
    part: { one: 'אגורה אחת', two: 'שתי אגורות', many: 'אגורות', gender: 'female' },
  },
  USD: { whole: { one: 'דולר אחד', two: 'שני דולרים', many: 'דולרים', gender: 'male' }, part: CENT },
  EUR: { whole: { one: 'אירו אחד', two: 'שני אירו', many: 'אירו', gender: 'male' }, part: CENT },
}

/** The last of several parts has the only "and". */
const joined = (parts: readonly string[]): string =>
  parts.map((part, at) => (at > 0 && at === parts.length - 1 ? `ו${part}` : part)).join(' ')

const below1000 = (n: number, gender: Gender): string[] => {
  const rest = n % 100
  const small = SMALL[gender]
  const tens = rest < 20 ? [small[rest] as string] : [TENS[Math.floor(rest / 10)] as string]
  const unit = rest >= 20 && rest % 10 > 0 ? [small[rest % 10] as string] : []
  return [...(n >= 100 ? [HUNDREDS[Math.floor(n / 100)] as string] : []), ...(rest > 0 ? [...tens, ...unit] : [])]
}

const thousands = (n: number): string => {
  if (n === 1) return 'אלף'
  if (n === 2) return 'אלפיים'
  return n <= 10 ? `${OF_THOUSANDS[n]} אלפים` : `${joined(below1000(n, 'male'))} אלף`
}

const large = (n: number, name: string): string => {
  if (n === 1) return name
  return `${n === 2 ? 'שני' : joined(below1000(n, 'male'))} ${name}`
}

const spelled = (n: number, gender: Gender): string => {
  if (n === 0) return SMALL[gender][0] as string
  const [milliards, millions, thousand] = [1e9, 1e6, 1e3].map((scale) => Math.floor(n / scale) % 1000) as [
    number,
    number,
    number,
  ]
  return joined([
    ...(milliards > 0 ? [large(milliards, 'מיליארד')] : []),
    ...(millions > 0 ? [large(millions, 'מיליון')] : []),
    ...(thousand > 0 ? [thousands(thousand)] : []),
    ...below1000(n % 1000, gender),
  ])
}

const counted = (n: number, { one, two, many, gender }: Noun): string => {
  if (n === 1) return one
  return n === 2 ? two : `${spelled(n, gender)} ${many}`
}

export const he: Spell = (whole, part, currency) => {
  const nouns = NOUNS[currency]
  if (part === 0) return counted(whole, nouns.whole)
  const parts = counted(part, nouns.part)
  return whole === 0 ? parts : `${counted(whole, nouns.whole)} ו${parts}`
}
