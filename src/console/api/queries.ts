import {
  QueryCache,
  MutationCache,
  keepPreviousData,
  QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import type { IntentHeader } from './intents/intent.ts'
import { useIntents } from './intents/use-intents.ts'
import { Problem } from './problem.ts'
import { leaveLook } from './session.ts'
import { STALE, type Change } from './stale.ts'

const FRESH_MILLIS = 15_000
const REPEATS = 2

/**
 * Whether a read is asked again at once: somebody waits for the page, so only trouble that is over in a moment. Whether a
 * change is answered is another question (`isAnswered`): that is asked again for as long as it takes.
 */
const isBrief = (error: unknown): boolean =>
  error instanceof Problem && (error.isUnreachable || error.status === 502 || error.status === 503)

/** Somebody whose access was ended meanwhile is shown so, and not a page of which everything is refused. */
const lookWhoIAm = (error: unknown): void => {
  if (error instanceof Problem && error.reason === 'preview_ended') void leaveLook()
  if (error instanceof Problem && error.code === 'MEMBERSHIP_INACTIVE')
    void queryClient.invalidateQueries({ queryKey: ['/auth/me'] })
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: lookWhoIAm }),
  mutationCache: new MutationCache({ onError: lookWhoIAm }),
  defaultOptions: {
    // A LAN works without the internet: the browser's idea of being online says nothing.
    queries: {
      networkMode: 'always',
      staleTime: FRESH_MILLIS,
      retry: (count, error) => count < REPEATS && isBrief(error),
    },
    mutations: { networkMode: 'always' },
  },
})

/**
 * What a GET of the API answers, kept under its address: `useGet(['/groups', id, 'roster'], () => answer(api.GET(…)))`.
 * @param key begins with the path of the API that it reads, by which `STALE` names it
 * @param options.freshMillis for how long it is not read again
 * @param options.keptMillis how long it is kept once nothing shows it
 */
export const useGet = <T>(
  key: readonly [path: string, ...rest: unknown[]],
  read: (signal: AbortSignal) => Promise<T>,
  options: {
    isOff?: boolean
    everyMillis?: number
    keepsFormer?: boolean
    keptMillis?: number
    freshMillis?: number
  } = {},
): UseQueryResult<T> =>
  useQuery({
    queryKey: key,
    queryFn: ({ signal }) => read(signal),
    enabled: !options.isOff,
    ...(options.everyMillis && { refetchInterval: options.everyMillis, refetchOnWindowFocus: 'always' as const }),
    ...(options.keepsFormer && { placeholderData: keepPreviousData }),
    ...(options.keptMillis && { gcTime: options.keptMillis }),
    ...(options.freshMillis && { staleTime: options.freshMillis }),
  })

/** A page of a list. */
export interface ApiPage<T> {
  data: T[]
  nextCursor: string | null
}

/** All rows of a list, which has few more than a page holds. */
export const readAll = async <T>(read: (cursor: string | undefined) => Promise<ApiPage<T>>): Promise<T[]> => {
  const rows: T[] = []
  let cursor: string | undefined
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page says where the next begins
    const page: ApiPage<T> = await read(cursor)
    rows.push(...page.data)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return rows
}

/** A list of the API, page by page. */
export interface Pages<T, P = ApiPage<T>> {
  /** What the first page says beside its rows. */
  first: P | undefined
  /** The rows of all pages that were read; undefined: none has come yet. */
  rows: readonly T[] | undefined
  error: unknown
  hasMore: boolean
  /** Whether the next page is on its way. */
  isReadingMore: boolean
  readMore: () => void
  retry: () => void
}

/** A list that goes on by its cursor. What was read stays while filters narrow it anew. */
export const usePages = <T, P = ApiPage<T>>(
  key: readonly [path: string, ...rest: unknown[]],
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<P & ApiPage<T>>,
  options: { isOff?: boolean } = {},
): Pages<T, P> => {
  const query = useInfiniteQuery({
    queryKey: [...key, 'pages'],
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    enabled: !options.isOff,
  })
  return {
    rows: query.data?.pages.flatMap(({ data }) => data),
    first: query.data?.pages[0],
    error: query.error,
    hasMore: query.hasNextPage,
    isReadingMore: query.isFetchingNextPage,
    readMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  }
}

/** Reads again whatever this change has made stale. */
export const afterChange = async (change: Change): Promise<void> => {
  const paths: readonly string[] = STALE[change]
  await queryClient.invalidateQueries({
    predicate: ({ queryKey }) => paths.some((path) => String(queryKey[0]).startsWith(path)),
  })
}

/**
 * A change of the API. What it makes stale is read again before it counts as done. While the same input is on its way, it
 * is not sent a second time; after an answer that was lost, it goes under the same name, and takes effect once.
 * @param send `(input, header) => answer(api.POST('/courses', { params: { header }, body: input }))`: what it sends
 *   follows from the input alone, as far as that can change while the page is there
 * @param onSuccess what is done then, also where what asked for it is gone by then: a row that left its list
 */
export const useChange = <In, Out>(
  change: Change,
  send: (input: In, header: IntentHeader) => Promise<Out>,
  onSuccess?: (reply: Out, input: In) => void,
): UseMutationResult<Out, Problem, In> => {
  const intents = useIntents()
  return useMutation<Out, Problem, In>({
    mutationFn: (input) =>
      intents.once(input, async (header) => {
        const reply = await send(input, header)
        await afterChange(change)
        return reply
      }),
    ...(onSuccess && { onSuccess }),
  })
}
