import type { Money } from '#kernel/values/money.ts'
import type { Locale } from '#shared/locale.ts'
import { ar } from './ar.ts'
import { en } from './en.ts'
import { he } from './he.ts'
import type { Spell } from './spell.ts'

const SPELLED: Readonly<Record<Locale, Spell>> = { ar, en, he }

/**
 * A sum in words, which nobody changes with a stroke of a pen as they may its digits. Libraries (n2words 4.0) count
 * shekels in the feminine, and leave the Arabic cases out.
 */
export const spelled = (locale: Locale, { amountMinor, currency }: Money): string =>
  SPELLED[locale](Math.floor(amountMinor / 100), amountMinor % 100, currency)
