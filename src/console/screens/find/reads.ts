import { useGet } from '../../api/queries.ts'
import { useMe } from '../../shell/me.tsx'
import type { Result } from '../../records/search/recent.ts'
import { readLeads } from '../../records/lead/reads.ts'
import { readSearch } from '../../records/search/reads.ts'

/** Of each kind. */
const MOST = 6
export const SHORTEST = 2

/** In the order in which they stand. */
const TYPES: readonly Result['type'][] = [
  'student',
  'guardian',
  'staff',
  'group',
  'course',
  'invoice',
  'receipt',
  'credit_note',
  'refund',
  'lead',
]

interface Found {
  /** What was looked for. */
  q: string
  results: readonly Result[]
  hasMore: boolean
}

const search = async (q: string, signal: AbortSignal): Promise<Found> => {
  const { results, truncatedTypes } = await readSearch({ q, limit: MOST }, signal)
  return { q, results, hasMore: truncatedTypes.length > 0 }
}

const searchLeads = async (q: string, signal: AbortSignal): Promise<Found> => {
  const { data, nextCursor } = await readLeads({ q, limit: MOST }, signal)
  const open = data.filter(({ status }) => status === 'new' || status === 'contacted')
  const results = open.map(({ id, firstName, lastName, phone, guardian }) => ({
    type: 'lead' as const,
    id,
    label: `${firstName} ${lastName}`,
    sublabel: phone ?? guardian?.phone ?? null,
  }))
  return { q, results, hasMore: nextCursor !== null }
}

/** What fits. The results of what was typed before stay until those of now are there; a request that nobody waits for ends. */
export const useFind = (q: string) => {
  const { can } = useMe()
  const isOff = q.length < SHORTEST
  const all = useGet(['/search', q], (signal) => search(q, signal), { isOff, keepsFormer: true })
  const leads = useGet(['/leads', 'search', q], (signal) => searchLeads(q, signal), {
    isOff: isOff || !can('leads.read'),
    keepsFormer: true,
  })
  const found = isOff ? [] : [...(all.data?.results ?? []), ...(leads.data?.results ?? [])]
  return {
    results: found.toSorted((one, other) => TYPES.indexOf(one.type) - TYPES.indexOf(other.type)),
    hasMore: all.data?.hasMore === true,
    /** Whether the results are those of `q`. */
    isSettled: !isOff && all.data?.q === q,
    error: all.error,
    retry: () => void all.refetch(),
  }
}
