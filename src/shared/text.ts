import { withoutTwinCode } from './twin-phones.ts'

/** Combining marks on letters, except in scripts whose vowels are such marks (Devanagari, Thai, …). */
const MARKS = /\p{Mn}(?<=[\p{Script=Inherited}\p{Script=Arabic}\p{Script=Hebrew}])(?<![\u3099\u309A])/gu

/** Invisible characters: direction marks, joiners, soft hyphens, byte order marks, variation selectors. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** ASCII words with one blank between them, without apostrophes and quotation marks. */
const PLAIN = /^[!#-&(-_a-~]+(?: [!#-&(-_a-~]+)*$/

/**
 * Marks as signs of their own, decomposed: the acute accent, an apostrophe to whoever types it, and the isolated harakat
 * of old programs.
 */
const LONE_MARKS = /\s+[\u0301\u064B-\u0652]/g

/** A hyphen, other than in a number: S-000042, 050-1234567, 10-A. */
const HYPHENS = /(?<!\d)-(?!\d)/g

const BLANKS = /[\s\p{Cc}]+/gu

const digits = (written: string): [string, string][] => Array.from(written, (digit, value) => [digit, String(value)])

/**
 * Characters that Unicode decomposition keeps apart, although people use one to search for the other. Lower case only.
 */
const SAME = new Map<string, string>([
  ...digits('٠١٢٣٤٥٦٧٨٩'),
  ...digits('۰۱۲۳۴۵۶۷۸۹'),
  ...Object.entries({
    // Latin letters whose accent is part of the shape
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    ø: 'o',
    đ: 'd',
    ð: 'd',
    ħ: 'h',
    ı: 'i',
    ł: 'l',
    ŧ: 't',
    þ: 'th',
    // Greek final sigma
    ς: 'σ',
    // Hebrew final letters: they count as the letter itself, so that כהן is a prefix of כהנא
    ך: 'כ',
    ם: 'מ',
    ן: 'נ',
    ף: 'פ',
    ץ: 'צ',
    // Arabic: hamza on its own and tatweel are removed; variants of alef, yeh, heh and kaf become one letter
    ء: '',
    ٴ: '',
    ـ: '',
    ٱ: 'ا',
    ى: 'ي',
    ی: 'ي',
    ة: 'ه',
    ہ: 'ه',
    ۃ: 'ه',
    ھ: 'ه',
    ە: 'ه',
    ک: 'ك',
    // Digraphs of Yiddish, which old programs write for two letters
    װ: 'וו',
    ױ: 'וי',
    ײ: 'יי',
    // Apostrophes, geresh and quotation marks are left out as often as not: צה״ל and צהל, ג׳ורג׳ and גורג, O’Brien
    "'": '',
    '"': '',
    '`': '',
    '‘': '',
    '’': '',
    '‛': '',
    ʻ: '',
    ʼ: '',
    ʾ: '',
    ʿ: '',
    '′': '',
    '׳': '',
    '“': '',
    '”': '',
    '„': '',
    '״': '',
    // Hyphen and maqaf: the keyboard decides which one is typed
    '־': '-',
    '‐': '-',
    '–': '-',
    '—': '-',
  }),
])

const TO_REPLACE = new RegExp(`[${[...SAME.keys()].join('')}]`, 'gu')

/**
 * Returns the form in which names are searched and sorted: two texts that people consider the same name have the same
 * fold. It ignores case, accents, harakat, hamza, niqqud, cantillation, full-width and presentation forms (NFKC),
 * apostrophes and quotation marks, invisible characters and repeated white space; a hyphen outside numbers counts as a
 * blank; digits become ASCII. src/shared/names.ts knows which names are also written as one word.
 *
 * Folding a folded text does not change it. A text of marks and invisible characters only becomes the empty string, so
 * a search must check the length of the folded query.
 */
export function fold(text: string): string {
  // Only the case of these changes.
  if (PLAIN.test(text) && text.search(HYPHENS) === -1) return text.toLowerCase()
  return (
    text
      // Between two marks one would keep them from standing in their order.
      .replace(INVISIBLE, '')
      .normalize('NFKD')
      .replace(INVISIBLE, '')
      .replace(LONE_MARKS, '')
      .replace(MARKS, '')
      .toLowerCase()
      .replace(TO_REPLACE, (letter) => SAME.get(letter) ?? letter)
      .replace(HYPHENS, ' ')
      .normalize('NFC')
      .replace(BLANKS, ' ')
      .trim()
  )
}

/** A number as people write it, as a word of its own: (050) 123-4567, +972 50 123 4567. */
const WRITTEN_NUMBER = /(?<=^| )[+(]*\d(?:[\d ()./-]*\d)?\)?(?=$| )/gu

/**
 * Folds what a person typed into a search box. Numbers also lose blanks, dashes and brackets, as in stored phone
 * numbers, and the country code where people write one or the other.
 */
export function foldQuery(query: string): string {
  return fold(query).replace(WRITTEN_NUMBER, (written) => withoutTwinCode(written.replace(/[^+\d]/g, '')))
}

/** Whether the databases can store the text: it has no NUL and no lone surrogate. */
export function isWellFormedText(text: string): boolean {
  // Not isWellFormed, which the oldest browsers of the console lack.
  return !/[\p{Surrogate}\0]/u.test(text)
}

/** Marks that join the parts of a web or mail address, and the look-alikes that mail programs or people take for them. */
const JOINTS = String.raw`[.:@\/\u3002\uFF61\u2024\uFE52\uFF0E\u2236\uA789\uFE13\uFE55\uFF1A\uFE6B\uFF20\u2044\u2215\uFF0F]`
const LINKS = new RegExp(String.raw`(?<=\S)${JOINTS}(?=\S)`, 'gu')

/**
 * Breaks up whatever mail programs would turn into a link (evil.example, a@b.c, tel:1): the only link of a mail is
 * ours.
 */
export const unlinked = (value: string): string => value.replaceAll(LINKS, '\u2060$&\u2060')
