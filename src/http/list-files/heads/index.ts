import type { Locale } from '#shared/locale.ts'
import { ar } from './ar/index.ts'
import { en, type Heads } from './en/index.ts'
import { he } from './he/index.ts'

const HEADS: Readonly<Record<Locale, Heads>> = { ar, en, he }

const headIn = (locale: Locale, name: string): string | undefined =>
  Object.hasOwn(HEADS[locale], name) ? HEADS[locale][name as keyof Heads] : undefined

/** The words for a field; where there are none, its name. */
export const wordOver = (name: string, locale: Locale): string => headIn(locale, name) ?? name

/**
 * The words over a column: those of its field, behind those of the fields that it lies in. The amount within a price, a
 * total or a balance needs none of its own. A field whose words mean something else elsewhere has its own by its path.
 * @throws an Error for a field that has no words yet
 */
export const headOf = (path: readonly string[], locale: Locale): string => {
  const own = path.length > 1 ? headIn(locale, path.join('.')) : undefined
  if (own !== undefined) return own
  const [name = '', parent] = [path.at(-1), path.at(-2)]
  const names = parent !== undefined && name === 'amountMinor' ? path.slice(0, -1) : name === 'currency' ? [name] : path
  return names
    .map((one) => {
      const head = headIn(locale, one)
      if (head === undefined) throw new Error(`src/http/list-files/heads lacks ${one}.`)
      return head
    })
    .join(': ')
}
