import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanName, firstWords, isSameName, nameKey, searchedText } from '#shared/names.ts'
import { fold, foldQuery } from '#shared/text.ts'

/** As a search matches: each word anywhere, a word of one or two letters at the beginning of a word. */
const finds = (typed: string, name: string): boolean => {
  const text = ` ${searchedText(name)}`
  const words = foldQuery(typed).split(' ')
  return words.every((word) => word !== '' && text.includes(word.length < 3 ? ` ${word}` : word))
}

/** Each of a row is found by each of them. */
const ONE_NAME = [
  ['רמב״ם', 'רמב"ם', `רמב''ם`, 'רמבם'],
  ['צה״ל', 'צהל', 'צה”ל'],
  ['ג׳ורג׳', "ג'ורג'", 'ג’ורג’', 'גורג'],
  ['בן ציון', 'בן־ציון', 'בן-ציון', 'בנציון', 'בן – ציון'],
  ['בת שבע', 'בת־שבע', 'בתשבע'],
  ['אבו חסן', 'אבו-חסן', 'אבוחסן'],
  ['אבו גל', 'אבוגל'],
  ['עבד אל רחמן', 'עבד אל-רחמן', 'עבד אלרחמן', 'עבדאלרחמן'],
  ["אבו אל היג'א", 'אבו אלהיגא', 'אבואלהיג׳א'],
  ['عبد الله', 'عبدالله', 'عبد اللّٰه', 'عبدﷲ', 'عبد الـله'],
  ['عبد الرحمن', 'عبدالرحمن', 'عبد الرحمٰن'],
  ['أبو حسن', 'أبوحسن', 'ابو حسن', 'ابوحسن', 'ﺃﺑﻮﺣﺴﻦ'],
  ['أبو طه', 'ابوطه', 'أبو طة'],
  ['نور الدين', 'نورالدين', 'نور الدّين'],
  ['هدى', 'هدي', 'ﻫﺪﻯ'],
  ["O'Brien", 'O’Brien', 'OBrien', 'O Brien', 'O´Brien'],
  ['Jean-Luc', 'Jeanluc', 'jean‐luc'],
  ['Jean-Luc', 'Jean Luc'],
  ['Abd el-Rahman', 'Abd El Rahman', 'Abdelrahman', 'abd elrahman'],
  ['van der Berg', 'Vanderberg', 'Van Der-Berg'],
]

describe('a search finds', () => {
  const pairs = ONE_NAME.flatMap((row) => row.flatMap((one) => row.map((other) => [one, other] as const)))
  test.each(pairs)('by %s the name %s', (typed, name) => {
    expect(finds(typed, name)).toBe(true)
    expect(finds(`${typed} levi`, `${name} Levi`)).toBe(true)
  })

  test.each([
    ['דן', 'אבידן לוי'],
    ['דן', 'ירדן כהן'],
    ['אלי', 'מיכאל יוסף'],
    ['הלו', 'נועה לוי'],
    ['سنح', 'حسن حسين'],
    ['له', 'عبد الله'],
    ['na', 'Dana Levi'],
    ['12', 'בן ציון'],
  ])('by %s not the name %s', (typed, name) => expect(finds(typed, name)).toBe(false))

  test('everything that it found in the name alone', () => {
    const word = fc.constantFrom(...ONE_NAME.flat(), 'דנה', 'לוי', 'عمر', 'A', '7-b', "'", '-')
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        const name = words.join(' ')
        expect(searchedText(name, 's-1')).toContain(fold(`${name} s-1`))
        expect(searchedText(name)).not.toMatch(/^ | $| {2}/)
      }),
    )
  })
})

describe('one name is', () => {
  test.each([
    ['בן ציון כהן', 'בנציון כהן'],
    ['בן־ציון כהן', 'כהן בן ציון'],
    ['عبد الله حسن', 'عبدالله حسن'],
    ['عبد الله', 'عبدالله'],
    ['ג׳ורג׳ חורי', "ג'ורג חורי"],
    ['Jean-Luc Roy', 'Jean Luc Roy'],
    ['נור אלדין סעד', 'נוראלדין סעד'],
  ])('%s and %s', (one, other) => expect(isSameName(one, other)).toBe(true))

  test.each([
    ['בן כהן', 'בר כהן'],
    ['عبد الله حسن', 'عبد الرحمن حسن'],
  ])('not %s and %s', (one, other) => expect(isSameName(one, other)).toBe(false))

  test('a first name that is such a word keeps its blank where there is no third word', () => {
    expect([nameKey('בן כהן'), nameKey('בן ציון כהן')].map((key) => key.split(' ').length)).toEqual([2, 2])
  })
})

describe('a name is kept', () => {
  test.each([
    ['presentation forms', 'ﻣﺤﻤﺪ ﻻﻣﻊ', 'محمد لامع'],
    ['ligatures', 'عبد ﷲ', 'عبد الله'],
    ['isolated harakat', 'م\uFE76', 'م\u064e'],
    ['Hebrew presentation forms', '\uFB2Aרה \uFB4F', 'ש\u05C1רה אל'],
    ['direction marks', '\u202bדנה\u202c \u2067לוי\u2069\u200f\u061c', 'דנה לוי'],
    ['marks without a width', '\ufeffDa\u200bn\u00ada\u2060', 'Dana'],
    ['doubled blanks', ' Dana \u00a0 Le\u3000vi ', 'Dana Le vi'],
    ['joiners that join nothing', '\u200cדנ\u200dה\u200c Da\u200cna', 'דנה Dana'],
  ])('without %s', (_what, typed, kept) => expect(cleanName(typed)).toBe(kept))

  test.each([
    'علی\u200cرضا',
    '👩🏽\u200d👧 ו🏳️\u200d🌈',
    'क्\u200dष',
    'سيرة النبي ﷺ',
    'מִרְיָם',
    'مُحَمَّد',
    'محـمد',
    'Zoe\u0308 ﬁne ²',
    'בן־ציון רמב״ם',
    "=cmd|' /C calc'!A0",
  ])('%j as it is', (name) => expect(cleanName(name)).toBe(name))

  test('as it is when it is clean, and found by what was typed', () => {
    const characters = fc.constantFrom(...Array.from('aא بﻻﷲ\u200c\u200d\u200f\u202e\u2067\ufeff\u00a0-\u064b\u05bc1'))
    fc.assert(
      fc.property(fc.string({ unit: characters }), (typed) => {
        const kept = cleanName(typed)
        expect(cleanName(kept)).toBe(kept)
        expect(fold(kept)).toBe(fold(typed))
      }),
    )
  })
})

test.each([
  ['سارة خالد النابلسي', 1],
  ['نور الدين علي حنني', 2],
  ['عبد الرحمن علي', 2],
  ['عبد الله حسن', 2],
  ['Noor Eldin Saad', 2],
  ['عبد الرحمن', 1],
  ['نور الدين', 1],
  ['בן דוד כהן', 1],
  ['ليان', 1],
])('the first name of %s has %i of its words', (name, count) => expect(firstWords(name.split(' '))).toBe(count))
