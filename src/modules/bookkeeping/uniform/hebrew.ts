/**
 * The letters that the files know: ISO-8859-8, of which the first half is ASCII and the second Hebrew. Arabic names are
 * written in Hebrew letters as the Academy of the Hebrew Language does; what has no such letter becomes a question mark.
 */

const FROM_ARABIC: Readonly<Record<string, string>> = {
  '\u0621': "'",
  '\u0622': 'א',
  '\u0623': 'א',
  '\u0624': 'ו',
  '\u0625': 'א',
  '\u0626': 'י',
  '\u0627': 'א',
  '\u0628': 'ב',
  '\u0629': 'ה',
  '\u062A': 'ת',
  '\u062B': "ת'",
  '\u062C': "ג'",
  '\u062D': 'ח',
  '\u062E': "ח'",
  '\u062F': 'ד',
  '\u0630': "ד'",
  '\u0631': 'ר',
  '\u0632': 'ז',
  '\u0633': 'ס',
  '\u0634': 'ש',
  '\u0635': 'צ',
  '\u0636': "צ'",
  '\u0637': 'ט',
  '\u0638': "ט'",
  '\u0639': 'ע',
  '\u063A': "ע'",
  '\u0640': '',
  '\u0641': 'פ',
  '\u0642': 'ק',
  '\u0643': 'כ',
  '\u0644': 'ל',
  '\u0645': 'מ',
  '\u0646': 'נ',
  '\u0647': 'ה',
  '\u0648': 'ו',
  '\u0649': 'א',
  '\u064A': 'י',
  '\u060C': ',',
  '\u061F': '?',
}

/** At the end of a word these letters have another form. */
const AT_THE_END: Readonly<Record<string, string>> = { כ: 'ך', מ: 'ם', נ: 'ן', פ: 'ף', צ: 'ץ' }

const ARABIC = /[\u0600-\u06FF]+/gu

const transliterated = (arabic: string): string => {
  const letters = Array.from(arabic.replaceAll(/[\u064B-\u065F\u0670]/gu, ''))
  const hebrew = letters.map((letter) => FROM_ARABIC[letter] ?? '?').join('')
  const last = hebrew.at(-1) ?? ''
  return hebrew.slice(0, -1) + (AT_THE_END[last] ?? last)
}

const PUNCTUATION: Readonly<Record<string, string>> = {
  '\u05BE': '-',
  '\u05F3': "'",
  '\u05F4': '"',
  '\u2013': '-',
  '\u2014': '-',
  '\u2018': "'",
  '\u2019': "'",
  '\u201C': '"',
  '\u201D': '"',
  '\u20AA': 'NIS',
}

/** A text in the letters that the files know, in one line. */
export const inHebrewLetters = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[\u0591-\u05BD\u05BF-\u05C7\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/[\u0660-\u0669]/gu, (digit) => String((digit.codePointAt(0) as number) - 0x660))
    .replaceAll(ARABIC, transliterated)
    .replaceAll(/[^\x20-\x7E\u05D0-\u05EA]/gu, (character) => PUNCTUATION[character] ?? '?')

const [ALEF, ALEF_BYTE] = [0x5d0, 0xe0]

/** The bytes of a text in these letters. */
export const hebrewBytes = (text: string): Buffer => {
  const bytes = Buffer.allocUnsafe(text.length)
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    bytes[at] = code >= ALEF ? code - ALEF + ALEF_BYTE : code
  }
  return bytes
}
