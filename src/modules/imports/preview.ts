/** What became of a row that was not refused. */
export type Outcome = 'created' | 'updated' | 'unchanged'

/** How many rows of a dry run are shown. */
export const SHOWN_ROWS = 20

/** A row as it would stand: by the names of fields, what would be kept. Of a row that is refused, what it says. */
export interface PreviewRow {
  row: number
  outcome: Outcome | 'refused'
  values: Readonly<Record<string, string>>
}

/** What a value shows. */
const SHOWN = 200

export type Shown = string | number | boolean | null | readonly string[]

/** As text; what says nothing is left out. */
export const shownValues = (values: Readonly<Record<string, Shown | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([field, value]) => {
      const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
      return text === '' ? [] : [[field, text.slice(0, SHOWN)]]
    }),
  )
