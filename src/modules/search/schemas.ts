import * as v from 'valibot'
import { id, integer, orNull, searched } from '#kernel/schema.ts'

export const SEARCHED_TYPES = ['student', 'guardian', 'staff', 'group', 'course', 'invoice'] as const
export type SearchedType = (typeof SEARCHED_TYPES)[number]

export const searchQuery = v.object({
  q: v.pipe(searched(100), v.minLength(2, 'Must have at least 2 characters.')),
  limit: v.optional(integer(1, 10), 5),
})

const type = v.picklist(SEARCHED_TYPES)

export const SearchResults = v.object({
  query: v.string(),
  results: v.array(v.object({ type, id, label: v.string(), sublabel: orNull(v.string()) })),
  truncatedTypes: v.array(type),
})
export type SearchResults = v.InferOutput<typeof SearchResults>
