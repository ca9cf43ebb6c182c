import createClient, { type Middleware } from 'openapi-fetch'
import type { KeyedPaths } from './keyed-paths.ts'
import { hasFailed, problemOf } from './problem.ts'
import { send, sendAsUser, whole } from './send.ts'

export type { Query, Schemas } from './schemas.ts'

const refusing: Middleware = {
  onResponse: async ({ response }) => {
    if (hasFailed(response)) throw await problemOf(response)
  },
}

const baseUrl = `${location.origin}/api/v1`

/**
 * The API. A reply that refuses throws its Problem, so `data` of a reply is what a success answers: `answer` takes it.
 * A POST says by its Idempotency-Key which intent it belongs to: `useChange` gives it one.
 */
export const api = createClient<KeyedPaths>({
  baseUrl,
  fetch: async (request) => whole(await sendAsUser(request)),
})
api.use(refusing)

/** The same for whoever has no account yet, or needs none. */
export const openApi = createClient<KeyedPaths>({ baseUrl, fetch: async (request) => whole(await send(request)) })
openApi.use(refusing)

/** What the reply to a request holds. @throws Problem */
export const answer = async <T>(reply: Promise<{ data?: T }>): Promise<T> => (await reply).data as T
