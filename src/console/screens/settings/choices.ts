import type { Schemas } from '../../api/client.ts'

type Currency = Schemas['Currency']

/** Those in which the server reckons. */
export const CURRENCIES: readonly Currency[] = ['ILS', 'USD', 'EUR']
