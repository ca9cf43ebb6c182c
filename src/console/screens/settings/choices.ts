import type { Schemas } from '../../api/client.ts'
import type { Option } from '../../parts/choose.tsx'

type Currency = Schemas['Currency']

/** Those that the browser knows, and the one that is chosen. */
export const timeZones = (chosen: string): Option<string>[] =>
  [...new Set([chosen, ...Intl.supportedValuesOf('timeZone')])].toSorted().map((id) => ({ id, label: id }))

/** Those in which the server reckons. */
export const CURRENCIES: readonly Currency[] = ['ILS', 'USD', 'EUR']
