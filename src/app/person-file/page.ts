import { escapeHtml } from '#kernel/basics/html.ts'
import { decimal } from '#kernel/values/money.ts'
import { localDate, localTime } from '#kernel/time/zone.ts'
import { directionOf, type Locale } from '#shared/locale.ts'
import { wordOver } from '#http/list-files/heads/index.ts'
import { wordsFor, yesOrNo } from '#http/list-files/words/index.ts'
import type { KeptTable, TitledTable } from './kept.ts'
import type { PersonData, Row } from './read.ts'
import { WORDS } from './words/index.ts'

/** What is kept of a person as a page that every browser shows, by itself and without a network. */

interface Reader {
  locale: Locale
  zone: string
}

/** Columns whose values are codes. What people wrote may read like one. */
const CODED = new Set([
  'status',
  'kind',
  'relationship',
  'method',
  'channel',
  'state',
  'source',
  'locale',
  'preferred_locale',
])

const camel = (column: string): string => column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const memberText = (value: object, reader: Reader): string =>
  Object.entries(value)
    .map(([name, one]) => [wordOver(camel(name), reader.locale), textOf('', one, reader)] as const)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name}: ${text}`)
    .join('; ')

const textOf = (column: string, value: unknown, reader: Reader): string => {
  const { locale, zone } = reader
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean' || column.startsWith('is_')) return yesOrNo(Boolean(value), locale)
  if (typeof value === 'number') return column.endsWith('_minor') ? decimal(value) : String(value)
  if (Array.isArray(value)) return value.map((one) => textOf('', one, reader)).join(', ')
  if (typeof value === 'object') return memberText(value, reader)
  if (typeof value !== 'string') return ''
  if (CODED.has(column)) return wordsFor(column, value, locale) ?? value
  if (/(?:_at|^at|_start)$/.test(column))
    return value.includes('T') ? localTime(value, zone).slice(0, 16).replace('T', ' ') : value
  return value
}

const cells = (row: Row, columns: readonly string[], reader: Reader): string =>
  columns.map((column) => `<td dir="auto">${escapeHtml(textOf(column, row[column], reader))}</td>`).join('')

const section = ({ table, shown = {} }: KeptTable, rows: readonly Row[], reader: Reader): string => {
  const { titles } = WORDS[reader.locale]
  const columns = Object.keys(shown)
  const heads = Object.values(shown).map((head) => `<th scope="col">${escapeHtml(wordOver(head, reader.locale))}</th>`)
  return `<h2>${escapeHtml(titles[table as TitledTable])}</h2>
<div><table>
<thead><tr>${heads.join('')}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${cells(row, columns, reader)}</tr>`).join('\n')}
</tbody>
</table></div>`
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:0 auto;padding:1rem;color:#1c2430;background:#fff}
h2{margin:2rem 0 .5rem;font-size:1.1rem}div{overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{border:1px solid #c8ced8;padding:.35rem .6rem;text-align:start;vertical-align:top;unicode-bidi:plaintext;white-space:pre-wrap}
th{background:#f1f4f8;white-space:nowrap}`

/** @param institute its name */
export const personPage = (
  { name, kept }: PersonData,
  { institute, now, ...reader }: Reader & { institute: string; now: string },
): string => {
  const { locale, zone } = reader
  const words = WORDS[locale]
  // A table without rows is left out: the list of what an institute never had says nothing of the person.
  const sections = kept.filter(({ table, rows }) => table.shown && rows.length > 0)
  return `<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(words.title(name))}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(words.title(name))}</h1>
<p>${escapeHtml(words.about(institute, localDate(now, zone)))}</p>
${sections.map(({ table, rows }) => section(table, rows, reader)).join('\n')}
</body>
</html>
`
}
