/** How the text of a cell is read; see values.ts. */
export type FieldType =
  | 'text'
  | 'identity'
  | 'number'
  | 'phone'
  | 'email'
  | 'date'
  | 'birthDate'
  | 'amount'
  | 'currency'
  | 'tags'
  | 'gender'
  | 'studentStatus'
  | 'relationship'
  | 'yesNo'
  | 'knownPhone'

/** A field that a column may hold. */
export interface Field {
  name: string
  type: FieldType
  /** What its column may be called; case, accents, harakat, niqqud and punctuation do not count. */
  heads: readonly string[]
  /** Those of the heads that also mean something else: they count where no other column is of the field. */
  looseHeads?: readonly string[]
}
