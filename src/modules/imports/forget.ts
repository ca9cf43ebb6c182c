import type { ExpressionBuilder } from 'kysely'
import { holdsText } from '#db/queries/search.ts'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'
import { joinedName } from '#shared/names.ts'
import type { PreviewRow } from './preview.ts'

/**
 * Imports keep for a month what they read: the first rows as they would stand, and those that were refused. No row has
 * an id, so those of a person are known by what was written of them.
 */

export interface Written {
  first_name: string
  last_name: string
  /** null: there is none, or others have it too, whose rows stay. */
  email: string | null
  national_id: string | null
}

/** As many refused rows are read at once as hold no memory to speak of. */
const AT_ONCE = 500

const wordsOf = (text: string): string =>
  ` ${text
    .split(/[\s,\u060C;]+/u)
    .map(joinedName)
    .filter((word) => word !== '')
    .join(' ')} `

const signsOf = (text: string): string[] => text.toLowerCase().split(/[\s,\u060C;<>]+/u)

/** Whether a row tells of the person: by their whole name, their address, or their identity number. */
const teller = ({ first_name: first, last_name: last, email, national_id: nationalId }: Written) => {
  const names = [first, last].map(wordsOf)
  const signs = [email, nationalId].filter((sign) => sign !== null).map((sign) => sign.toLowerCase())
  return (cells: readonly string[]): boolean => {
    const worded = cells.map(wordsOf)
    return (
      // Of short names a part of a word is somebody else's.
      names.every((name) => worded.includes(name)) ||
      worded.some((cell) => names.every((name) => cell.includes(name))) ||
      cells.some((cell) => signsOf(cell).some((sign) => signs.includes(sign)))
    )
  }
}

/** As a text stands within JSON. */
const withinJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Leaves out most rows of others; `teller` decides. */
const mayTell =
  ({ first_name: first, email, national_id: nationalId }: Written) =>
  (eb: ExpressionBuilder<Tables, 'import_refusal'>) =>
    eb.or(
      [first, email, nationalId]
        .filter((one) => one !== null)
        .map((one) => holdsText(eb.cast<string>('cells', 'text'), withinJson(one))),
    )

/** @returns the lines of the rows that went */
const forgetRefusals = async (whole: ScopedDb, importId: string, written: Written): Promise<Set<number>> => {
  const tells = teller(written)
  const lines = new Set<number>()
  let after = 0
  for (;;) {
    const rows = await whole
      .selectFrom('import_refusal')
      .select(['line', 'cells'])
      .where('import_id', '=', importId)
      .where('line', '>', after)
      .where(mayTell(written))
      .orderBy('line')
      .limit(AT_ONCE)
      .execute()
    const last = rows.at(-1)
    if (!last) return lines
    after = last.line
    const theirs = rows.filter(({ cells }) => tells(cells)).map(({ line }) => line)
    for (const line of theirs) lines.add(line)
    if (theirs.length > 0) {
      await whole.deleteFrom('import_refusal').where('import_id', '=', importId).where('line', 'in', theirs).execute()
    }
  }
}

const textsOf = ({ values, before, known }: PreviewRow): string[] => [
  ...Object.values(values),
  ...Object.values(before),
  ...known,
]

/** Takes a person out of what imports still show, and leaves the rows of others. */
export const forgetImported = async (whole: ScopedDb, written: Written): Promise<void> => {
  const tells = teller(written)
  const imports = whole.selectFrom('import').select(['id', 'status', 'kept_bytes', 'preview', 'errors', 'told'])
  for (const { id, status, kept_bytes: bytes, preview, errors, told } of await imports.execute()) {
    const lines = bytes > 0 ? await forgetRefusals(whole, id, written) : new Set<number>()
    // One that runs still writes these.
    if (status === 'queued' || status === 'running') continue
    for (const row of preview) if (tells(textsOf(row))) lines.add(row.row)
    const isOfOthers = (one: { row: number | null; value?: string | null }): boolean =>
      !(one.row !== null && lines.has(one.row)) && !tells([one.value ?? ''])
    const left = {
      preview: preview.filter(isOfOthers),
      errors: errors.filter(isOfOthers),
      told: told.filter(isOfOthers),
    }
    if (left.preview.length + left.errors.length + left.told.length === preview.length + errors.length + told.length) {
      continue
    }
    await whole.updateTable('import').set(left).where('id', '=', id).execute()
  }
}
