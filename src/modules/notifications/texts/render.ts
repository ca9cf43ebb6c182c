import { isolateIn } from '#shared/isolate.ts'
import type { Locale } from '#shared/locale.ts'

/** Values by the names of variables. */
export type Values = Readonly<Record<string, string>>

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g

/** The names of the variables that a text uses, each once, in order. */
export const variablesOf = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(PLACEHOLDER), ([, name]) => name as string)),
]

/** A link, and what has several lines, stand alone. */
const inText = (name: string, value: string, locale: Locale): string =>
  name === 'link' || value.includes('\n') ? value : isolateIn(value, locale)

/** A block that is one variable, with the empty line before it. */
const ALONE = /(?:^|\n\n)\{\{\s*([^{}]*?)\s*\}\}(?=\n\n|$)/g

/**
 * Fills in the variables of a text, isolated from the direction of the text around them. Variables inside values stay as
 * they are. A variable without a value becomes empty: texts are checked when they are saved, and it is too late to refuse
 * one here; where it is a block of its own, it leaves no gap.
 */
export const fillIn = (text: string, values: Values, locale: Locale): string =>
  text
    .replaceAll(ALONE, (block, name: string) => (Object.hasOwn(values, name) && values[name] !== '' ? block : ''))
    .replaceAll(PLACEHOLDER, (_, name: string) =>
      Object.hasOwn(values, name) ? inText(name, values[name] as string, locale) : '',
    )
