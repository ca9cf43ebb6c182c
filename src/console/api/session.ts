import { useSyncExternalStore } from 'react'
import { deadline, replyTo, textOf } from '../../shared/reply-to.ts'
import type { components } from './contract.d.ts'
import { pause } from './pause.ts'
import { hasFailed, problemOf, unreachable } from './problem.ts'
import { oneTabAtATime } from './tabs-lock.ts'

/**
 * Who is signed in. The access token is kept in memory alone; the session's cookie, which no script can read, renews it.
 */

type SignedIn = components['schemas']['SignedIn'] & Partial<components['schemas']['SignedInByCode']>

/**
 * - `unknown`: not asked yet;
 * - `out`: nobody is signed in;
 * - `in`: somebody is;
 * - `ended`: somebody was, and the password is asked for over the page.
 */
export type SessionState = 'unknown' | 'out' | 'in' | 'ended'

const TIMEOUT_MILLIS = 30_000
const AGAIN_MILLIS = 700

/**
 * Where the page begins anew once somebody else is signed in, or nobody; a page beside the console begins at its own
 * address, and keeps nothing in this browser.
 */
let beside: string | undefined
export const stayAt = (address: string): void => {
  beside = address
}

let state: SessionState = 'unknown'
let token = ''
/** Where a platform admin works in an owner's name: in this tab alone, with a token that is kept nowhere and cannot be renewed. */
let visit: { tenantId: string; endsAt: string } | undefined
/**
 * Where somebody looks at the console as a role sees it: in this tab alone, where it outlasts a reload. Its token reads and
 * changes nothing. Their own session goes on beside it, in the cookie.
 */
let look: { token: string; roleId: string; endsAtMillis: number } | undefined
const LOOK = 'institute.look'
/** How many recovery codes are left to whoever just signed in with one, until they have read it. */
let recoveryLeft: number | undefined
/** Whose token it is, and of which institute: `<user>/<institute>`. */
let owner = ''
const listeners = new Set<() => void>()

const tell = (): void => {
  for (const listener of listeners) listener()
}
/** Kept in this browser: a page of somebody who never signed in need not wait for what is not there. */
const KEPT = 'institute.was-in'
export const wasIn = (): boolean => localStorage.getItem(KEPT) !== null

const setState = (next: SessionState): void => {
  state = next
  tell()
}

const claimsOf = (accessToken: string): { sub?: string; tid?: string; sid?: string; iat: number; exp: number } =>
  JSON.parse(atob((accessToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')))

const ownerOf = (accessToken: string): string => {
  const { sub, tid } = claimsOf(accessToken)
  return `${sub ?? ''}/${tid ?? ''}`
}

/** Tabs of one browser share the cookie: they tell each other of a new token, and of the end. */
const tabs = new BroadcastChannel('institute-session')
tabs.addEventListener('message', ({ data }: MessageEvent<{ token: string }>) => {
  if (data.token === '') return leave()
  // Somebody else signed in, in another tab: what the role sees is not theirs to see.
  if (look !== undefined && ownerOf(look.token) !== ownerOf(data.token)) return void leaveLook('/')
  if (visit === undefined && look === undefined && (state === 'in' || state === 'ended')) take(data.token)
})

const take = (accessToken: string): void => {
  const newOwner = ownerOf(accessToken)
  // Somebody else signed in, in another tab: what this one shows is not theirs to see.
  if (owner !== '' && owner !== newOwner) return location.replace(beside ?? '/')
  token = accessToken
  owner = newOwner
  if (beside === undefined) localStorage.setItem(KEPT, '1')
  setState('in')
}

/** Forgets whoever was signed in, with everything that the page shows. */
const leave = (): void => {
  const isShown = state === 'in' || state === 'ended'
  token = ''
  localStorage.removeItem(KEPT)
  sessionStorage.removeItem(LOOK)
  setState('out')
  // A fresh page holds nothing of theirs in memory.
  if (isShown) location.replace(beside ?? '/sign-in')
}

const post = (path: string, body: unknown, bearer?: string): Promise<Response> =>
  ask(path, { method: 'POST', body: JSON.stringify(body) }, bearer)

const ask = (path: string, options: RequestInit, bearer?: string): Promise<Response> => {
  const request = new Request(`/api/v1${path}`, {
    ...options,
    headers: { 'Content-Type': 'application/json', ...(bearer && { Authorization: `Bearer ${bearer}` }) },
    cache: 'no-store',
    // A page that is left meanwhile still gets the cookie of the reply: the former one is over.
    keepalive: true,
    signal: deadline(TIMEOUT_MILLIS),
  })
  return replyTo(request).catch(unreachable)
}

/** Sends the mail with a link to a new password, where an account has this address. @throws Problem */
export const askForPassword = async (email: string): Promise<void> => {
  const reply = await post('/auth/forgot-password', { email })
  if (hasFailed(reply)) throw await problemOf(reply)
}

const signedIn = async (response: Response): Promise<SignedIn> => {
  if (hasFailed(response)) throw await problemOf(response)
  return JSON.parse(await textOf(response).catch(unreachable)) as SignedIn
}

let renewing: Promise<boolean> | undefined

const askForToken = async (): Promise<boolean> => {
  const before = token
  return oneTabAtATime('institute.renewing', async () => {
    // Another tab has told of a new one meanwhile.
    if (token !== before) return true
    let reply = await post('/auth/refresh', {})
    if (reply.status === 401 && wasIn()) {
      // Another tab, or this page before it was reloaded, may have renewed it in the same instant: the cookie is new now.
      await pause(AGAIN_MILLIS)
      reply = await post('/auth/refresh', {})
    }
    const refused = reply.status === 401 || reply.status === 403 ? await problemOf(reply) : undefined
    // A firewall's page says nothing of the session.
    if (refused?.isForeign) throw refused
    if (refused) {
      if (state === 'unknown') localStorage.removeItem(KEPT)
      setState(state === 'unknown' || state === 'out' ? 'out' : 'ended')
      return false
    }
    const { accessToken } = await signedIn(reply)
    take(accessToken)
    tabs.postMessage({ token: accessToken })
    return true
  })
}

/**
 * Renews the access token by the cookie.
 * @returns false: nobody is signed in any more
 * @throws Problem when the server cannot be reached, or is in trouble
 */
export const renew = (): Promise<boolean> => {
  // The page goes away: it shows what its reader may not see any more.
  if (visit !== undefined) return leaveVisit().then(() => new Promise(() => {}))
  if (look !== undefined) return leaveLook().then(() => new Promise(() => {}))
  if (state === 'unknown' && goOnLooking()) return Promise.resolve(true)
  renewing ??= askForToken().finally(() => {
    renewing = undefined
  })
  return renewing
}

export const accessToken = (): string => token
/** Whether the session acts within an institute: a member of several chooses one first. */
export const isBoundToInstitute = (): boolean => owner !== '' && !owner.endsWith('/')
/** `<user>/<institute>`, or '' while nobody is signed in. */
export const sessionOwner = (): string => owner
/** The session's id: another one once somebody has signed in anew. */
export const sessionId = (): string => claimsOf(token).sid ?? ''

const enter = async (reply: Response): Promise<void> => {
  const { accessToken: fresh, recoveryCodesLeft } = await signedIn(reply)
  recoveryLeft = recoveryCodesLeft ?? undefined
  take(fresh)
  tabs.postMessage({ token: fresh })
}

/** @throws Problem; where a code is asked for, its details have the ticket for `signInByCode` */
export const signIn = async (email: string, password: string): Promise<void> =>
  enter(await post('/auth/login', { email, password, client: 'web' }))

/** The second step. @throws Problem */
export const signInByCode = async (ticket: string, code: string): Promise<void> =>
  enter(await post('/auth/login/second-factor', { ticket, code }))

/** @throws Problem; PasskeyGivenUp */
export const signInByPasskey = async (): Promise<void> => {
  const reply = await post('/auth/passkey/options', {})
  if (hasFailed(reply)) throw await problemOf(reply)
  const { signWithPasskey } = await import('./passkey.ts')
  const signed = await signWithPasskey((await reply.json()) as { challenge: string; rpId: string })
  await enter(await post('/auth/passkey', { ...signed, client: 'web' }))
}

/** Binds the session to an institute, or with null to none, where the platform is managed. Everything that is shown belongs to the former one, so the page starts anew. */
export const selectInstitute = async (tenantId: string | null): Promise<void> => {
  await signedIn(await post('/auth/select-tenant', { tenantId }, token))
  owner = ''
  location.replace(beside ?? '/')
}

/** Begins to work in the name of an institute's owner, in this tab. What it has read by then is to be forgotten. */
export const beginVisit = (visitToken: string, { tenantId, endsAt }: NonNullable<typeof visit>): void => {
  visit = { tenantId, endsAt }
  token = visitToken
  owner = ownerOf(visitToken)
  tell()
}

/** The visit that goes on in this tab; undefined: its reader works in their own name. */
export const currentVisit = (): Readonly<NonNullable<typeof visit>> | undefined => visit

/** Ends the visit, at the server too, and goes back to the page of the institute. */
export const leaveVisit = async (): Promise<void> => {
  const { tenantId } = visit ?? {}
  // Where there is no answer the token ends by itself.
  await post('/auth/logout', {}, token).catch(() => undefined)
  location.replace(`/platform/institutes/${tenantId}`)
}

const lookBy = (kept: NonNullable<typeof look>): void => {
  look = kept
  token = kept.token
  // What this browser keeps for its reader is not touched meanwhile.
  owner = `${ownerOf(token)}/${claimsOf(token).sid ?? ''}`
  setState('in')
}

/** Begins to look as a role, in this tab. What it has read by then is to be forgotten. */
export const beginLook = (lookToken: string, roleId: string): void => {
  const { iat, exp } = claimsOf(lookToken)
  // By the clock of this browser, which may be another than the server's.
  const kept = { token: lookToken, roleId, endsAtMillis: Date.now() + (exp - iat) * 1000 }
  sessionStorage.setItem(LOOK, JSON.stringify(kept))
  lookBy(kept)
}

/** After a reload. @returns false: nobody looked in this tab */
const goOnLooking = (): boolean => {
  const kept = beside === undefined ? sessionStorage.getItem(LOOK) : null
  if (kept === null) return false
  lookBy(JSON.parse(kept) as NonNullable<typeof look>)
  return true
}

/** When looking as a role ends in this tab, by the clock of this browser; undefined: its reader works. */
export const lookEndsAt = (): number | undefined => look?.endsAtMillis

const endLook = async (): Promise<void> => {
  sessionStorage.removeItem(LOOK)
  // Where there is no answer it ends by itself.
  await ask(`/roles/${look?.roleId}/preview`, { method: 'DELETE' }, token).catch(() => undefined)
}

/** Ends looking as a role, at the server too, and goes back to their own work. @param to default: the page of the role, which says that it is over */
export const leaveLook = async (to = `/settings/roles/${look?.roleId}?looked=over`): Promise<void> => {
  await endLook()
  location.replace(to)
}

/** Their own session, while this tab looks as a role. */
const ownToken = (): Promise<string> =>
  oneTabAtATime('institute.renewing', async () => (await signedIn(await post('/auth/refresh', {}))).accessToken)

/** @throws Problem when the server cannot be reached: the session would live on */
export const signOut = async (): Promise<void> => {
  if (visit !== undefined) return leaveVisit()
  if (look !== undefined) {
    await endLook()
    token = await ownToken()
  }
  const reply = await post('/auth/logout', {}, token)
  if (hasFailed(reply) && reply.status !== 401) throw await problemOf(reply)
  await forgetSession()
}

/** Goes where one signs in, in every tab: the server has ended the session. Whoever uses this browser next gets no messages of it. */
export const forgetSession = async (): Promise<void> => {
  // Loaded with the pages of whoever is signed in. Where it is not there, the server sends nothing all the same.
  await import('./push-subscription.ts').then(({ dropSubscription }) => dropSubscription()).catch(() => {})
  tabs.postMessage({ token: '' })
  leave()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Waits while the password is asked for over the page. @returns whether somebody is signed in then; false at once where it is not asked for */
export const signedInAgain = (): Promise<boolean> => {
  if (state !== 'ended') return Promise.resolve(false)
  return new Promise((resolve) => {
    const forget = subscribe(() => {
      if (state === 'ended') return
      forget()
      resolve(state === 'in')
    })
  })
}

export const useSession = (): SessionState => useSyncExternalStore(subscribe, () => state)

/** As `sessionOwner`, of which the page is told when it changes. */
export const useSessionOwner = (): string => useSyncExternalStore(subscribe, () => owner)

export const useRecoveryLeft = (): number | undefined => useSyncExternalStore(subscribe, () => recoveryLeft)

export const forgetRecoveryLeft = (): void => {
  recoveryLeft = undefined
  tell()
}
