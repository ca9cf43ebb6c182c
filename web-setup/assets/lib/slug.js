/** Common words of institute names, in the usual Latin spelling: a letter-by-letter map would lose their vowels. */
const WORDS = new Map([
  ['معهد', 'maahad'],
  ['مركز', 'markaz'],
  ['مدرسة', 'madrasa'],
  ['أكاديمية', 'academy'],
  ['اكاديمية', 'academy'],
  ['كلية', 'kulliya'],
  ['النور', 'al-noor'],
  ['الأمل', 'al-amal'],
  ['القدس', 'al-quds'],
  ['מכון', 'machon'],
  ['מרכז', 'merkaz'],
  ['מכללה', 'michlala'],
  ['מכללת', 'michlelet'],
  ['אקדמיה', 'academia'],
  ['אולפן', 'ulpan'],
  ['בית', 'beit'],
  ['ספר', 'sefer'],
  ['ירושלים', 'jerusalem'],
  ['חיפה', 'haifa'],
])

/** @type {Record<string, string>} */
const ARABIC = {
  ...{ ا: 'a', أ: 'a', إ: 'i', آ: 'a', ٱ: 'a', ى: 'a', ة: 'a', ئ: 'i', ؤ: 'u', ء: '' },
  ...{ ب: 'b', ت: 't', ث: 'th', ج: 'j', ح: 'h', خ: 'kh', د: 'd', ذ: 'dh', ر: 'r', ز: 'z' },
  ...{ س: 's', ش: 'sh', ص: 's', ض: 'd', ط: 't', ظ: 'z', ع: 'a', غ: 'gh', ف: 'f', ق: 'q' },
  ...{ ك: 'k', ل: 'l', م: 'm', ن: 'n', ه: 'h' },
}

/** @type {Record<string, string>} */
const HEBREW = {
  ...{ א: 'a', ב: 'b', ג: 'g', ד: 'd', ה: 'h', ז: 'z', ח: 'h', ט: 't', כ: 'k', ך: 'kh', ל: 'l' },
  ...{ מ: 'm', ם: 'm', נ: 'n', ן: 'n', ס: 's', ע: 'a', פ: 'p', ף: 'f', צ: 'ts', ץ: 'ts', ק: 'k', ר: 'r' },
  ...{ ש: 'sh', ת: 't' },
}

const SLUG_MAX = 63

/**
 * The server's rule for a short name; the server makes it lower case.
 * @param {string} text
 */
export function isSlug(text) {
  return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(text)
}

/**
 * Suggests a short name in Latin letters for a name in any of the three scripts; '' for an empty name, `institute` when
 * no letter can be spelled.
 * @param {string} name
 */
export function slugFor(name) {
  if (name.trim() === '') return ''
  // Compose first, so that hamza and madda stay part of their letter; then remove marks (harakat, niqqud, accents).
  const bare = name.normalize('NFC').replace(/[\u0591-\u05C7\u064B-\u065F\u0670\u0640]/g, '')
  const latin = bare
    .split(/[\s\-–—־_/.,:;()[\]]+/)
    .map((word) => spell(word.replace(/['’"״׳`]/g, '')))
    .join('-')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
  const slug = latin.slice(0, SLUG_MAX).replace(/^-+|-+$/g, '')
  return isSlug(slug) ? slug : 'institute'
}

/** @param {string} word */
function spell(word) {
  const known = WORDS.get(word)
  if (known) return known
  if (/\p{Script=Arabic}/u.test(word)) return spellArabic(word)
  return /\p{Script=Hebrew}/u.test(word) ? spellHebrew(word) : word
}

/**
 * و and ي are vowels after a consonant and consonants elsewhere. The article becomes a separate part, also after ل.
 * @param {string} word
 * @returns {string}
 */
function spellArabic(word) {
  if (/^ال..+/u.test(word)) return `al-${WORDS.get(word.slice(2)) ?? spellArabic(word.slice(2))}`
  if (/^لل..+/u.test(word)) return `lil-${spellArabic(word.slice(2))}`
  let out = ''
  for (const letter of word) {
    const afterConsonant = /[^aeiou]$/.test(out)
    if (letter === 'و') out += afterConsonant ? 'u' : 'w'
    else if (letter === 'ي') out += afterConsonant ? 'i' : 'y'
    else if (letter === 'ة' && out.endsWith('i')) out += 'ya'
    else out += ARABIC[letter] ?? letter
  }
  return out
}

/**
 * ו and י are vowels after a consonant; א is silent before them; a final ה after a consonant is a vowel.
 * @param {string} word
 */
function spellHebrew(word) {
  const letters = Array.from(word.replaceAll('וו', 'v').replace(/^לל/u, 'leל'))
  let out = ''
  for (const [index, letter] of letters.entries()) {
    const afterConsonant = /[^aeiou]$/.test(out)
    const next = letters[index + 1]
    if (letter === 'א' && (next === 'ו' || next === 'י')) out += next === 'ו' ? 'o' : 'i'
    else if ((letter === 'ו' || letter === 'י') && letters[index - 1] === 'א') continue
    else if (letter === 'ו') out += afterConsonant ? 'o' : 'v'
    else if (letter === 'י') out += afterConsonant ? 'i' : 'y'
    else if (letter === 'ה' && next === undefined && out !== '') out += afterConsonant ? 'a' : 'h'
    else out += HEBREW[letter] ?? letter
  }
  return out
}
