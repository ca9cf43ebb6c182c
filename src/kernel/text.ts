/** Combining marks on letters, except in scripts whose vowels are such marks (Devanagari, Thai, …). */
const MARKS = /[[\p{Mn}&&[\p{Script=Inherited}\p{Script=Arabic}\p{Script=Hebrew}]]--[\u3099\u309A]]/gv

/** Invisible characters: direction marks, joiners, soft hyphens, byte order marks, variation selectors. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gv

/** ASCII words with one blank between them: only their case changes. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/v

const BLANKS = /[\s\p{Cc}]+/gv

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
    // Apostrophe and geresh, quotation mark and gershayim, hyphen and maqaf: the keyboard decides which one is typed
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
 * Returns the form in which names are searched and sorted: two texts that people consider the same name have the same
 * fold. It ignores case, accents, harakat, hamza, niqqud, cantillation, full-width and presentation forms (NFKC),
 * invisible characters and repeated white space; digits become ASCII.
 *
 * Folding a folded text does not change it. A text of marks and invisible characters only becomes the empty string, so
 * a search must check the length of the folded query.
 */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
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

/** A number as people write it, as a word of its own: (050) 123-4567, +972 50 123 4567. */
const WRITTEN_NUMBER = /(?<=^| )[+\(]*\d(?:[\d \(\).\/\-]*\d)?\)?(?=$| )/gv

/**
 * Folds what a person typed into a search box. Numbers also lose blanks, dashes and brackets, as in stored phone
 * numbers.
 */
export function foldQuery(query: string): string {
  return fold(query).replace(WRITTEN_NUMBER, (written) => written.replace(/[^+\d]/gv, ''))
}

/** Whether the databases can store the text: it has no NUL and no lone surrogate. */
export function isWellFormedText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** Marks that join the parts of a web or mail address, and the look-alikes that mail programs or people take for them. */
const JOINTS = String.raw`[.:@\/\u3002\uFF61\u2024\uFE52\uFF0E\u2236\uA789\uFE13\uFE55\uFF1A\uFE6B\uFF20\u2044\u2215\uFF0F]`
const LINKS = new RegExp(String.raw`(?<=\S)${JOINTS}(?=\S)`, 'gv')

/**
 * Breaks up whatever mail programs would turn into a link (evil.example, a@b.c, tel:1): the only link of a mail is
 * ours.
 */
export const unlinked = (value: string): string => value.replaceAll(LINKS, '\u2060$&\u2060')
