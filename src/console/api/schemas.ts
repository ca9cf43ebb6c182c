import type { components, paths } from './contract.d.ts'

/** The records of the API, by their names in its document. */
export type Schemas = components['schemas']

/** What a GET of the API may be asked: `Query<'/students'>`. */
export type Query<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Asked } } }
  ? NonNullable<Asked>
  : never
