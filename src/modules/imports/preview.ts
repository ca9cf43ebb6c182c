/** What became of a row that was not refused. */
export type Outcome = 'created' | 'updated' | 'unchanged'

/** How many rows of a dry run are shown. */
export const SHOWN_ROWS = 20

/** A row as it would stand: by the names of fields, what would be kept. Of a row that is refused, what it says. */
export interface PreviewRow {
  row: number
  outcome: Outcome | 'refused'
  values: Readonly<Record<string, string>>
  /** What a record that would change holds now, in the fields that would be otherwise. */
  before: Readonly<Record<string, string>>
  /** Those of its guardians who are there already. */
  known: string[]
}

/** What a value shows. */
const SHOWN = 200

export type Shown = string | number | boolean | null | readonly string[]

/** As text; what says nothing is left out. */
const shownValues = (values: Readonly<Record<string, Shown | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([field, value]) => {
      const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
      return text === '' ? [] : [[field, text.slice(0, SHOWN)]]
    }),
  )

/** What somebody looks at who tries a row: what is there, and what would be. */
export type Standing = Readonly<Record<string, Shown | undefined>>

/** @param before what was there of the row; nothing, where it would be added */
export const differences = (before: Standing, after: Standing): Pick<PreviewRow, 'values' | 'before'> => {
  const [old, values] = [shownValues(before), shownValues(after)]
  const fields = Object.keys(old).length === 0 ? [] : [...new Set([...Object.keys(old), ...Object.keys(values)])]
  return {
    values,
    before: Object.fromEntries(
      fields.flatMap((field) => (old[field] === values[field] ? [] : [[field, old[field] ?? '']])),
    ),
  }
}
