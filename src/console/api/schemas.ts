import type { components } from './contract.d.ts'

/** The records of the API, by their names in its document. */
export type Schemas = components['schemas']
