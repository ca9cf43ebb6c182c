import type { Schemas } from '../../api/client.ts'
import type { Option } from '../../parts/choose.tsx'
import type { Locale } from '../../../shared/locale.ts'

type Currency = Schemas['Currency']

/** Those that the browser knows, and the one that is chosen. */
export const timeZones = (chosen: string): Option<string>[] =>
  [...new Set([chosen, ...Intl.supportedValuesOf('timeZone')])].toSorted().map((id) => ({ id, label: id }))

/** Those in which the server reckons. */
const CURRENCIES: readonly Currency[] = ['ILS', 'USD', 'EUR']

export const currencies = (locale: Locale): Option<string>[] => {
  const names = new Intl.DisplayNames(locale, { type: 'currency' })
  return CURRENCIES.map((id) => ({ id, label: `${id} · ${names.of(id) ?? id}` }))
}
