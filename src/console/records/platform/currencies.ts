import type { Schemas } from '../../api/client.ts'
import { useFormat, useWords } from '../../words/language.tsx'

type Currency = Schemas['Currency']

const CURRENCIES: readonly Currency[] = ['ILS', 'USD', 'EUR']

/** The currencies that the API knows, by name. */
export const useCurrencies = (): { id: Currency; label: string }[] => {
  const { institute } = useWords()
  const { locale } = useFormat()
  const names = new Intl.DisplayNames([locale], { type: 'currency' })
  return CURRENCIES.map((id) => ({ id, label: institute.currencyOf(names.of(id) ?? id, id) }))
}
