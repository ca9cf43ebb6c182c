import { fold } from './text.ts'

/** How names of people and things are kept, found and compared. Browsers use it too. */

const folded = (words: string): readonly string[] => words.trim().split(/\s+/).map(fold)

/**
 * Words at the beginning of a name that people write apart, with a hyphen or as one word with the next: בן ציון, בן־ציון
 * and בנציון, عبد الرحمن and عبدالرحمن, Abu Hassan and Abuhassan.
 */
const AT_FRONT = new Set(
  folded(`בן בת בר אבו אבן אום אל עבד
    ابو ابا ابي ابن بن بنت ام عبد عبيد ال
    ben bat bar bin ibn bint abu abo umm um abd abdul al el
    o mc mac d da de del della di du la le l van von der den`),
)

/** Words at the end of a name that people write as one word with the one before: نور الدين and نورالدين. */
const AT_END = new Set(folded('الدين الله אלדין אדין אללה eldin aldin eddin uddin allah ullah'))

/**
 * Beginnings of a word after which people also begin another word. A search finds what follows at the beginning of a
 * word only if it is short, so it is kept as a word where it is (ابوطه: طه) or where it begins with an article that
 * people write apart (עבדאלרחמן: אלרחמן).
 */
const STEMS = folded('בן אבו אבן עבד אום ابو ابن بن عبد ben bin ibn abu abo umm abd')
const SPOKEN_ARTICLES = ['אל', 'al', 'el']
const SHORT = 2

/** A hyphen between letters, whichever key wrote it. */
const JOINING = /(?<=[\p{L}\p{M}])[-\u2010-\u2014\u05BE](?=\p{L})/gu

/** The words of a folded name, those together that people also write as one. */
const together = (words: readonly string[]): string[][] => {
  const groups: string[][] = []
  for (const word of words) {
    const last = groups.at(-1)
    if (last && (AT_FRONT.has(last.at(-1) as string) || AT_END.has(word))) last.push(word)
    else groups.push([word])
  }
  return groups
}

/** Whoever is called so is looked up under the first name. */
const ARABIC = /\p{Script=Arabic}/u

/**
 * By what people are sorted, folded, however the words of a name are joined. As offices look for it in each script: an
 * Arabic name of three or four parts as it is written, first name first, wherever it was cut in two; any other by the
 * family name, then by the first name.
 */
export const sortedName = (firstName: string, lastName: string): string => {
  const name = ARABIC.test(firstName) ? `${firstName} ${lastName}` : `${lastName} ${firstName}`
  return together(fold(name).split(' '))
    .map((words) => words.join(''))
    .join(' ')
}

const restOf = (word: string): string | undefined => {
  const stem = STEMS.find((one) => word.startsWith(one))
  const rest = stem === undefined ? '' : word.slice(stem.length)
  const isApart = SPOKEN_ARTICLES.some((article) => rest.startsWith(article) && rest.length > article.length + SHORT)
  return rest.length === SHORT || isApart ? rest : undefined
}

/** The other words, folded, by which people look for a name: its parts as one word, and a word as its parts. */
const otherWords = (name: string): string[] => {
  const words = fold(name).split(' ')
  const found = new Set<string>()
  for (const group of together(words)) if (group.length > 1) found.add(group.join(''))
  const joined = name.replace(JOINING, '')
  if (joined !== name) for (const word of fold(joined).split(' ')) found.add(word)
  for (const word of [...words, ...found]) {
    const rest = restOf(word)
    if (rest !== undefined) found.add(rest)
  }
  for (const word of words) found.delete(word)
  return [...found]
}

/** @returns what is searched, folded, and the name as it is also written */
export const withSpellings = (searched: string, name: string): string => {
  const text = fold(searched)
  const others = otherWords(name)
  return others.length === 0 ? text : [text, ...others].join(' ').trim()
}

/**
 * The text in which a search looks for something: its name, what else it is found by, and the name as it is also
 * written. A search folds what is typed (`foldQuery`) and looks for each of its words.
 */
export const searchedText = (name: string, ...others: readonly string[]): string =>
  withSpellings([name, ...others].join(' '), name)

/**
 * A name in the form in which it is compared: people write one name in all ways that have the same form. In a name of
 * two words the first is the first name: בן כהן has no other spelling.
 */
export const nameKey = (name: string): string => {
  const words = fold(name).split(' ')
  if (words.length === 2 && !AT_END.has(words[1] as string)) return words.join(' ')
  return together(words)
    .map((group) => group.join(''))
    .join(' ')
}

const SERVANT = fold('عبد')

/**
 * How many words at the beginning of a whole name are the first name: one, or the two of نور الدين and عبد الرحمن where
 * others follow. A Hebrew or Latin particle in front may as well begin the last name.
 */
export const firstWords = (words: readonly string[]): number => {
  const [one = '', two = ''] = words.map(fold)
  return words.length > 2 && (one === SERVANT || AT_END.has(two)) ? 2 : 1
}

/** A name without blanks, hyphens and marks: عبد الرحمن and عبدالرحمن, בר-אור and בר אור are one. */
export const joinedName = (name: string): string => fold(name).replaceAll(/[\s-]/g, '')

const inOrder = (key: string): string => key.split(' ').toSorted().join(' ')

/** Whether both are one name, however it is spelled and in whatever order. */
export const isSameName = (one: string, other: string): boolean =>
  joinedName(one) === joinedName(other) || inOrder(nameKey(one)) === inOrder(nameKey(other))

/**
 * Letters as old programs wrote them, one character for each form of a letter. The words and signs that end the block
 * (U+FDFA to U+FDFD, such as ﷺ) stay: people choose them.
 */
const PRESENTATION_FORMS = /[\uFB1D-\uFDF9\uFE70-\uFEFC]+/gu

/** Marks without a width: of direction, of places to break a line or not, of the byte order. */
const MARKS = /[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g

const JOINERS = String.raw`[\u200C\u200D]+`
/** Joiners that change nothing in what is shown. Persian (علی‌رضا), scripts of India and emoji need them within words. */
const IDLE_JOINERS = new RegExp(
  String.raw`(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\u200C\u200D])${JOINERS}|` +
    String.raw`(?<=[\p{Script=Hebrew}\p{Script=Latin}])${JOINERS}|` +
    String.raw`${JOINERS}(?![\p{L}\p{M}\p{Extended_Pictographic}\u200C\u200D])`,
  'gu',
)

/** Isolated harakat are decomposed into a blank and the mark. */
const composed = (forms: string): string => forms.normalize('NFKC').replace(/ (?=\p{Mn})/gu, '')

/**
 * A name without what only copying it has put there: presentation forms, direction marks and other marks without a
 * width, and all blanks but one between words. Letters, accents, harakat, niqqud and tatweel stay as they were typed.
 */
export const cleanName = (typed: string): string =>
  typed.replace(PRESENTATION_FORMS, composed).replace(MARKS, '').replace(IDLE_JOINERS, '').replace(/\s+/gu, ' ').trim()
