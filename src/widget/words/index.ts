import type { Locale } from '../../shared/locale.ts'
import { ar } from './ar.ts'
import { en, type Texts } from './en.ts'
import { he } from './he.ts'

export type { Texts }

/** Those that stand alone. */
export type Text = { [Key in keyof Texts]: Texts[Key] extends string ? Key : never }[keyof Texts]

export const TEXTS: Readonly<Record<Locale, Texts>> = { ar, en, he }
