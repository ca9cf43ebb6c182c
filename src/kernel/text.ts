/** Marks written on or under a letter, of any script but those whose vowels are such marks (Devanagari, Thai, …). */
const MARKS = /[[\p{Mn}&&[\p{Script=Inherited}\p{Script=Arabic}\p{Script=Hebrew}]]--[\u3099\u309A]]/gv

/** Bidi controls, joiners, soft hyphens, byte order marks, variation selectors: what is in a text and cannot be seen. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gv

const BLANKS = /[\s\p{Cc}]+/gv

const digits = (written: string): [string, string][] => Array.from(written, (digit, value) => [digit, String(value)])

/** What decomposition leaves apart although people search for one by the other. Only lower-case letters. */
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
    // Hebrew final letters, so that כהן is a prefix of כהנא and both are collated by the letter
    ך: 'כ',
    ם: 'מ',
    ן: 'נ',
    ף: 'פ',
    ץ: 'צ',
    // Arabic: the hamza on its own and the tatweel go, the forms of alef, yeh, heh and kaf fall together
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
    // Apostrophe and geresh, quotation mark and gershayim, hyphen and maqaf: which of them is typed depends on the keyboard
    '‘': "'",
    '’': "'",
    ʼ: "'",
    '′': "'",
    '׳': "'",
    '“': '"',
    '”': '"',
    '״': '"',
    '־': '-',
    '‐': '-',
    '–': '-',
  }),
])

const TO_REPLACE = new RegExp(`[${[...SAME.keys()].join('')}]`, 'gv')

/**
 * The form under which names are searched and collated: two texts that a person would take for the same name have the
 * same fold. It ignores case, accents, harakat, hamza, niqqud and cantillation, full-width and presentation forms
 * (NFKC), controls that cannot be seen, and runs of white space; digits are ASCII.
 *
 * Folding twice changes nothing. A text of nothing but marks and controls folds to the empty string, so a search has to
 * look at the folded query's length.
 */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(INVISIBLE, '')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(TO_REPLACE, (letter) => SAME.get(letter) ?? letter)
    .normalize('NFC')
    .replace(BLANKS, ' ')
    .trim()
}

/** Digits as numbers are written for people, standing alone: (050) 123-4567, +972 50 123 4567. */
const WRITTEN_NUMBER = /(?<=^| )[+\(]*\d(?:[\d \(\).\/\-]*\d)?\)?(?=$| )/gv

/**
 * What a person typed into a search box, in the form in which texts are searched: folded, and numbers without the
 * blanks, dashes and brackets that phones are stored without.
 */
export function foldQuery(query: string): string {
  return fold(query).replace(WRITTEN_NUMBER, (written) => written.replace(/[^+\d]/gv, ''))
}

/** Whether a text can be stored and printed: no NUL, no half of a surrogate pair. */
export function isWellFormedText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
