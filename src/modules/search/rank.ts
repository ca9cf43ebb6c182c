import { wordsOf } from '#db/queries/search.ts'
import { fold } from '#shared/text.ts'

/** How well a record matches; the smaller, the better. */
type Rank = 0 | 1 | 2 | 3 | 4

/**
 * How well records match a query, which is folded. 0: the label, or one word of the text, such as a number or an email
 * address, is what was typed; 1: the label begins with it; 2: all words that were typed are words of the text; 3: they begin
 * words of it; 4: they stand somewhere in it. The text is that in which the record was found, folded; it begins with the
 * label.
 */
export const ranksFor = (query: string): ((found: { label: string; text: string }) => Rank) => {
  const typed = wordsOf(query)
  const isOneWord = !query.includes(' ')
  return ({ label, text }) => {
    const words = ` ${text} `
    if (isOneWord && words.includes(` ${query} `)) return 0
    if (text.startsWith(query)) {
      // The first word of the text is the first of the label.
      if (isOneWord) return 1
      const folded = fold(label)
      if (folded.startsWith(query)) return folded === query ? 0 : 1
    }
    if (typed.every((word) => words.includes(` ${word} `))) return 2
    return typed.every((word) => words.includes(` ${word}`)) ? 3 : 4
  }
}
