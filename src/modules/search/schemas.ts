import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import { id, integer, orNull, searched } from '#kernel/values/schema.ts'

const words = {
  q: 'What is looked for: 2 to 100 characters.',
  limit: 'How many results of each type there are at most.',
  query: 'What was looked for.',
  results: 'Best match first.',
  truncatedTypes: 'The types of which there are more results.',
  type: 'What kind of record it is.',
  id: 'The id of the record.',
  label: 'The name by which people know it.',
  sublabel: 'What tells it from others of the same name; null: nothing.',
}

export const SEARCHED_TYPES = [
  'student',
  'guardian',
  'staff',
  'group',
  'course',
  'invoice',
  'receipt',
  'credit_note',
  'refund',
] as const
export type SearchedType = (typeof SEARCHED_TYPES)[number]

export const searchQuery = explained(
  v.object({
    q: v.pipe(searched(100), v.minLength(2, 'Must have at least 2 characters.')),
    limit: v.optional(integer(1, 10), 5),
  }),
  words,
)

const type = named('SearchedType', v.picklist(SEARCHED_TYPES))

export const SearchResults = named(
  'SearchResults',
  v.object({
    query: v.string(),
    results: v.array(
      named('SearchResult', v.object({ type, id, label: v.string(), sublabel: orNull(v.string()) }), words),
    ),
    truncatedTypes: v.array(type),
  }),
  words,
)
export type SearchResults = v.InferOutput<typeof SearchResults>
