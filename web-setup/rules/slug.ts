import { isSlug } from './names.ts'
import { ARABIC_WORDS, HEBREW_WORDS } from './slug-words.ts'

const ARABIC: Readonly<Record<string, string>> = {
  ا: 'a',
  ى: 'a',
  ة: 'a',
  ئ: 'i',
  ؤ: 'u',
  ء: '',
  ب: 'b',
  ت: 't',
  ث: 'th',
  ج: 'j',
  ح: 'h',
  خ: 'kh',
  د: 'd',
  ذ: 'dh',
  ر: 'r',
  ز: 'z',
  س: 's',
  ش: 'sh',
  ص: 's',
  ض: 'd',
  ط: 't',
  ظ: 'z',
  ع: 'a',
  غ: 'gh',
  ف: 'f',
  ق: 'q',
  ك: 'k',
  ل: 'l',
  م: 'm',
  ن: 'n',
  ه: 'h',
}

const HEBREW: Readonly<Record<string, string>> = {
  א: 'a',
  ב: 'b',
  ג: 'g',
  ד: 'd',
  ה: 'h',
  ז: 'z',
  ח: 'ch',
  ט: 't',
  כ: 'k',
  ך: 'ch',
  ל: 'l',
  מ: 'm',
  ם: 'm',
  נ: 'n',
  ן: 'n',
  ס: 's',
  ע: 'a',
  פ: 'p',
  ף: 'f',
  צ: 'tz',
  ץ: 'tz',
  ק: 'k',
  ר: 'r',
  ש: 'sh',
  ת: 't',
}

/** Prefixes that Hebrew writes together with the next word: and, to, in, of, from, that, the. */
const HEBREW_PREFIXES = [
  ['וה', 'veha'],
  ['לה', 'leha'],
  ['בה', 'beha'],
  ['של', 'shel-'],
  ['ה', 'ha'],
  ['ל', 'le'],
  ['ב', 'be'],
  ['ו', 've'],
  ['מ', 'mi'],
  ['ש', 'she'],
] as const

const SLUG_MAX = 63

/**
 * Suggests a short name in Latin letters for a name in any of the three scripts; '' for an empty name, `institute` when
 * no letter can be spelled.
 */
export function slugFor(name: string): string {
  if (name.trim() === '') return ''
  // Compose first, so that hamza and madda stay part of their letter; then remove marks (harakat, niqqud, accents).
  const bare = name.normalize('NFC').replace(/[\u0591-\u05BD\u05BF-\u05C7\u064B-\u065F\u0670\u0640]/g, '')
  const latin = bare
    .split(/[\s\-–—־_/.,:;()[\]]+/)
    .map((word) => spell(word.replace(/['’‘"“”״׳`]/g, '')))
    .join('-')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  const slug =
    latin.length <= SLUG_MAX
      ? latin
      : latin
          .slice(0, SLUG_MAX + 1)
          .replace(/-[^-]*$/, '')
          .slice(0, SLUG_MAX)
  return isSlug(slug) ? slug : 'institute'
}

function spell(word: string): string {
  if (/\p{Script=Arabic}/u.test(word)) return spellArabic(word)
  return /\p{Script=Hebrew}/u.test(word) ? spellHebrew(word) : word
}

/** The form of a word in the table: every alef plain, and a final ة as ه. */
const arabicKey = (word: string): string => word.replace(/[أإآٱ]/g, 'ا').replace(/ة$/, 'ه')

/** The article becomes a separate part. "For the" (لل) before a known word is left out. */
function spellArabic(word: string): string {
  const known = ARABIC_WORDS.get(arabicKey(word))
  if (known) return known
  if (/^ال..+/u.test(word)) return `al-${spellArabic(word.slice(2))}`
  // After ل the article loses its alef, and one of two lams.
  if (/^لل..+/u.test(word)) {
    const inner = [word.slice(2), word.slice(1)].find((rest) => ARABIC_WORDS.has(arabicKey(rest)))
    return inner ? spellArabic(inner) : `lil-${spellArabic(word.slice(2))}`
  }
  if (/^[وبل]./u.test(word)) {
    const rest = word.slice(1)
    const inner = /^ال..+/u.test(rest) ? rest.slice(2) : rest
    const found = ARABIC_WORDS.get(arabicKey(inner))
    if (found) return { و: 'wa-', ب: 'bi-', ل: 'li-' }[word[0] ?? ''] + found
  }
  return withVowels(arabicLetters(arabicKey(word)), 'a')
}

/** و and ي are vowels after a consonant and consonants otherwise; ه at the end is the mark of the feminine. */
function arabicLetters(word: string): string[] {
  const out: string[] = []
  const letters = Array.from(word)
  for (const [index, letter] of letters.entries()) {
    const before = out.at(-1) ?? ''
    const afterConsonant = before !== '' && !isVowel(before)
    const next = letters[index + 1]
    const isLong = afterConsonant && next !== 'ا'
    if (letter === 'و') out.push(isLong ? 'u' : 'w')
    else if (letter === 'ي') out.push(isLong ? 'i' : 'y')
    else if (letter === 'ه' && next === undefined && before !== '') out.push(before === 'i' ? 'ya' : 'a')
    else if (letter === 'ع' && isVowel(before)) continue
    else out.push(ARABIC[letter] ?? letter)
  }
  return out.filter((part) => part !== '')
}

function spellHebrew(word: string): string {
  const known = HEBREW_WORDS.get(word)
  if (known) return known
  for (const [prefix = '', latin = ''] of HEBREW_PREFIXES) {
    const found = word.startsWith(prefix) ? HEBREW_WORDS.get(word.slice(prefix.length)) : undefined
    if (found) return latin + found
  }
  // At the beginning of an unknown word, ה is most likely the article.
  if (/^ה...+/u.test(word)) return `ha${spellHebrew(word.slice(1))}`
  return withVowels(hebrewLetters(word), 'e')
}

/** ו and י are vowels after a consonant; א is silent before them; a final ה after a consonant is a vowel. */
function hebrewLetters(word: string): string[] {
  const out: string[] = []
  const letters = Array.from(word.replaceAll('וו', 'ﬠ').replaceAll('יי', 'ײ'))
  for (const [index, letter] of letters.entries()) {
    const before = out.at(-1) ?? ''
    const afterConsonant = before !== '' && !isVowel(before)
    const next = letters[index + 1]
    if (letter === 'ﬠ') out.push('v')
    else if (letter === 'ײ') out.push('ai')
    else if (letter === 'א' && (next === 'ו' || next === 'י')) out.push(next === 'ו' ? 'o' : 'i')
    else if ((letter === 'ו' || letter === 'י') && letters[index - 1] === 'א') continue
    else if (letter === 'ו') out.push(afterConsonant ? 'o' : 'v')
    else if (letter === 'י') out.push(afterConsonant ? 'i' : 'y')
    else if (letter === 'ה' && next === undefined && out.length > 0) out.push(afterConsonant ? 'a' : 'h')
    else if ((letter === 'א' || letter === 'ע') && isVowel(before)) continue
    else if (letter === 'ב' && before !== '' && (next === undefined || isVowel(before))) out.push('v')
    else out.push(HEBREW[letter] ?? letter)
  }
  return out
}

const isVowel = (part: string): boolean => /^[aeiou]+/.test(part)

/**
 * Inserts a vowel between two consonants at the beginning or end of a word, and into any run of three.
 * @param parts one for each letter
 */
function withVowels(parts: readonly string[], vowel: string): string {
  let out = ''
  let run = 0
  for (const [index, part] of parts.entries()) {
    const follows = index > 0 && !isVowel(part) && !isVowel(parts[index - 1] ?? '')
    const isLast = index === parts.length - 1
    if (follows && (run >= 2 || isLast || index === 1)) {
      out += vowel
      run = 0
    }
    out += part
    run = isVowel(part) ? 0 : run + 1
  }
  return out
}
