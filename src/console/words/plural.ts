import type { Locale } from '../../shared/locale.ts'

/** The forms of a noun after a number that each language has; Arabic has all six. */
interface Forms {
  en: 'one' | 'other'
  he: 'one' | 'two' | 'other'
  ar: 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'
}

/** Makes the function that picks the form for a number. The type asks for every form that the language has. */
export const plural = <L extends Locale>(language: L) => {
  const rules = new Intl.PluralRules(language)
  return (count: number, forms: Record<Forms[L], string>): string => {
    const all = forms as Partial<Record<Intl.LDMLPluralRule, string>>
    return all[rules.select(count)] ?? all.other ?? ''
  }
}
