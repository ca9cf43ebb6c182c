import { wordsOf } from '#db/search.ts'
import { fold } from '#kernel/text.ts'

/** How well a record matches; the smaller, the better. */
type Rank = 0 | 1 | 2 | 3 | 4

/**
 * 0: the label, or one word of the text, such as a number or an email address, is what was typed; 1: the label begins with it;
 * 2: all words that were typed are words of the text; 3: they begin words of it; 4: they stand somewhere in it.
 * @param query what was typed, folded
 * @param text the text in which the record was found, folded
 */
export const rankOf = (query: string, { label, text }: { label: string; text: string }): Rank => {
  const words = text.split(' ')
  if (words.includes(query)) return 0
  // The text begins with the label. Folding takes longer than all else.
  if (text.startsWith(query)) {
    const folded = fold(label)
    if (folded.startsWith(query)) return folded === query ? 0 : 1
  }
  const typed = wordsOf(query)
  if (typed.every((word) => words.includes(word))) return 2
  return typed.every((word) => words.some((one) => one.startsWith(word))) ? 3 : 4
}
