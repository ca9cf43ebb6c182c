import { deadline, NoReply, replyTo, textOf } from '../shared/reply-to.ts'
import type { Settings } from './settings.ts'

/** What became of a registration. */
export type Outcome =
  | { kind: 'received' }
  /** The server does not accept these fields: guardian.phone, … */
  | { kind: 'fields'; paths: string[] }
  | { kind: 'limit'; seconds: number }
  | { kind: 'captchaAgain' | 'closed' | 'notOffered' | 'origin' }
  /** It is not known whether the server has taken it. */
  | { kind: 'network' | 'server' | 'inFront' }

interface Refusal {
  error?: { code?: string; details?: { reason?: string; issues?: { path: (string | number)[] }[] } }
}

interface Course {
  id: string
  name: string
}

const DEADLINE_MILLIS = 30_000

const ask = (
  { api, key }: Settings,
  path: string,
  { headers, ...request }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Response> =>
  replyTo(
    new Request(api + path, {
      ...request,
      headers: { Authorization: `Bearer ${key}`, ...headers },
      credentials: 'omit',
      signal: deadline(DEADLINE_MILLIS),
    }),
  )

/**
 * Why a request got no reply. A browser does not tell a refusal of this website from a lost connection, so the script
 * is asked for again, which the server gives to every website.
 * @throws what is no lost connection, but a fault of this script
 */
const whyUnanswered = async ({ script, key }: Settings, error: unknown): Promise<'origin' | 'network'> => {
  if (!(error instanceof NoReply)) throw error
  const request = new Request(script, { mode: 'no-cors', cache: 'no-store', signal: deadline(DEADLINE_MILLIS) })
  try {
    await replyTo(request)
  } catch (lost) {
    if (!(lost instanceof NoReply)) throw lost
    return 'network'
  }
  console.error(`The server does not take the key ${key} from ${location.origin}: see the key's allowed origins.`)
  return 'origin'
}

/** Which setting of a proxy in front of the server to change, by the status of the proxy's own reply. */
const TO_SET: Readonly<Record<number, string>> = {
  413: 'let 20 MB through (nginx: client_max_body_size 20m)',
  502: 'see whether the server behind it runs',
  503: 'see whether the server behind it runs',
  504: 'let it wait longer (nginx: proxy_read_timeout 120s)',
}

/** Families cannot mend it, so the advice goes to the browser's console, where the maker of the website looks. */
const inFront = ({ api }: Settings, { status }: Response): Outcome => {
  console.error(
    `Something in front of ${api} answered in its place (${status}): ${TO_SET[status] ?? 'open that address to see what it is'}.`,
  )
  return { kind: 'inFront' }
}

const refusalOf = async (settings: Settings, reply: Response): Promise<Outcome> => {
  const { error } = (await reply.json().catch(() => ({}))) as Refusal
  if (error === undefined) return inFront(settings, reply)
  switch (reply.status) {
    case 401:
      return { kind: 'origin' }
    case 402:
    case 403:
      return { kind: error.details?.reason === 'origin_not_allowed' ? 'origin' : 'closed' }
    case 404:
      return { kind: 'notOffered' }
    case 422: {
      const paths = (error.details?.issues ?? []).map(({ path }) => path.join('.'))
      return paths.includes('captchaToken') ? { kind: 'captchaAgain' } : { kind: 'fields', paths }
    }
    case 429:
      return { kind: 'limit', seconds: Number(reply.headers.get('Retry-After') ?? 60) }
    default:
      return error.details?.reason === 'captcha_unverified' ? { kind: 'captchaAgain' } : { kind: 'server' }
  }
}

/** Sends a registration. A repeat with the same key and body is taken once. */
export const send = async (settings: Settings, body: string, idempotencyKey: string): Promise<Outcome> => {
  let reply: Response
  try {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey }
    reply = await ask(settings, 'public/registrations', { method: 'POST', headers, body })
  } catch (error) {
    return { kind: await whyUnanswered(settings, error) }
  }
  if (!reply.ok) return refusalOf(settings, reply)
  // A network in which one signs in first says that all is well.
  const isOurs = /json/i.test(reply.headers.get('Content-Type') ?? '')
  return isOurs ? { kind: 'received' } : inFront(settings, reply)
}

/** The first 100 courses that are open; a word: why they are not known. */
export const openCourses = async (settings: Settings): Promise<Course[] | 'origin' | 'network' | 'server'> => {
  try {
    const reply = await ask(settings, 'public/courses?limit=100')
    return reply.ok ? (JSON.parse(await textOf(reply)) as { data: Course[] }).data : 'server'
  } catch (error) {
    return whyUnanswered(settings, error)
  }
}
