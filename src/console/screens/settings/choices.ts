import type { Schemas } from '../../api/client.ts'
import type { Option } from '../../parts/choose.tsx'
import { isolate } from '../../words/format.ts'
import type { Locale } from '../../words/locale.ts'

type Currency = Schemas['Currency']

/** Those that the browser knows, and the one that is chosen. */
export const timeZones = (chosen: string): Option<string>[] =>
  [...new Set([chosen, ...Intl.supportedValuesOf('timeZone')])].toSorted().map((id) => ({ id, label: id }))

/** Those in which the server reckons. */
const CURRENCIES: readonly Currency[] = ['ILS', 'USD', 'EUR']

export const currencyName = (locale: Locale, id: Currency): string =>
  `${new Intl.DisplayNames(locale, { type: 'currency' }).of(id) ?? id} (${isolate(id)})`

export const currencies = (locale: Locale): Option<string>[] =>
  CURRENCIES.map((id) => ({ id, label: currencyName(locale, id) }))
