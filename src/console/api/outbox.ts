import { useSyncExternalStore } from 'react'
import { answer, api, reachability, type Schemas } from './client.ts'
import { store, type Mark, type MarkedSession, type Refusal, type Stored, type Unsent } from './outbox-store.ts'
import { Problem } from './problem.ts'
import { afterChange, queryClient } from './queries.ts'
import { randomName } from './random.ts'
import { sessionOwner } from './session.ts'
import { oneTabAtATime } from './tabs-lock.ts'

/**
 * Sends attendance, in order for each session, and again for as long as the server cannot be reached: also after the tab
 * was closed, once the same person is signed in again. An Idempotency-Key and the version of the roster make sure that
 * nothing takes effect twice, and that nobody else's marks are overwritten unseen.
 */

/** What became of marks: `kept` here until the server can be reached, or `refused` by it. */
export type Outcome = 'sent' | 'kept' | 'refused'

const AGAIN_MILLIS = 2000
const LONGEST_AGAIN_MILLIS = 15_000

/** Under which the roster of a session is kept, with its attendance. */
export const rosterKey = (sessionId: string) => ['/sessions', sessionId, 'attendance'] as const

let unsent: readonly Stored[] = []
const watchers = new Set<() => void>()
const otherTabs = new BroadcastChannel('institute-outbox')

const reload = async (): Promise<void> => {
  unsent = await store.unsent().catch(() => [])
  for (const watcher of watchers) watcher()
}

const changed = async (): Promise<void> => {
  await reload()
  otherTabs.postMessage('changed')
}

/** What the server answers now may be another thing a minute later; everything else is a refusal. */
const isPassing = ({ status, details, isForeign }: Problem): boolean =>
  isForeign || status === 0 || status === 401 || status === 429 || status >= 500 || details.reason === 'still_running'

const refusalOf = ({ status, code, message, details }: Problem): Refusal => ({ status, code, message, details })

/** What somebody else marked meanwhile, as it stands now. */
interface Conflict {
  current: number
  entries: readonly Schemas['RosterEntry'][]
}

/** undefined: it was refused for another reason. */
export const conflictOf = ({ marks, refusal }: Pick<Unsent, 'marks' | 'refusal'>): Conflict | undefined => {
  if (refusal?.code !== 'VERSION_CONFLICT') return undefined
  const { current, entries } = refusal.details as unknown as Conflict
  const ours = new Set(marks.map(({ studentId }) => studentId))
  // Whom we did not mark we do not overwrite.
  return { current, entries: entries.filter(({ studentId }) => ours.has(studentId)) }
}

const put = (sessionId: string, { version, marks, key }: Pick<Unsent, 'version' | 'marks' | 'key'>) => {
  const entries = marks.map(({ studentId, status, minutesLate, note }) => ({ studentId, status, minutesLate, note }))
  return answer(
    api.PUT('/sessions/{id}/attendance', {
      params: { path: { id: sessionId }, header: { 'Idempotency-Key': key } },
      body: { version, entries },
    }),
  )
}

/**
 * To which version the marks of this person raised which one: what was chosen while they were on their way builds on them.
 * The server took them, so nobody else has marked anything in between.
 */
const raised = new Map<string, number>()

const raisedFrom = (sessionId: string, version: number): number => {
  const next = raised.get(`${sessionId} ${version}`)
  return next === undefined || next === version ? version : raisedFrom(sessionId, next)
}

/** @returns the version that the attendance came to; undefined: it was refused @throws Problem that passes */
const sendOne = async (kept: Stored): Promise<number | undefined> => {
  // What is saved from now on does not join this, of which the server may learn in a moment.
  if (!(await store.change(kept, { version: kept.version, isTried: true }))) throw new SavedAnew()
  try {
    const roster = await put(kept.sessionId, kept)
    queryClient.setQueryData(rosterKey(kept.sessionId), roster)
    raised.set(`${kept.sessionId} ${kept.version}`, roster.version)
    await store.drop([kept.id])
    return roster.version
  } catch (error) {
    if (!(error instanceof Problem) || isPassing(error)) throw error
    const refusal = refusalOf(error)
    const conflict = conflictOf({ ...kept, refusal })
    if (conflict?.entries.length === 0) {
      const again = { version: conflict.current, key: randomName() }
      await store.change(kept, again)
      return sendOne({ ...kept, ...again })
    }
    await store.change(kept, { isTried: false, refusal })
    return undefined
  }
}

/** @returns whether anything was sent. @throws Problem that passes: the rest waits */
const sendInOrder = async (): Promise<boolean> => {
  const owner = sessionOwner()
  const waiting = await store.unsent()
  const stopped = new Set<string>()
  /** What the sessions came to by what was sent now: later marks of this person build on it. */
  const versions = new Map<string, number>()
  for (const kept of waiting) {
    const { sessionId } = kept
    if (kept.refusal) stopped.add(sessionId)
    if (stopped.has(sessionId)) continue
    if (sessionOwner() !== owner) return false
    // oxlint-disable-next-line no-await-in-loop -- one after the other, in order
    const version = await sendOne({ ...kept, version: versions.get(sessionId) ?? kept.version })
    if (version === undefined) stopped.add(sessionId)
    else versions.set(sessionId, version)
  }
  return versions.size > 0
}

let timer: ReturnType<typeof setTimeout> | undefined
let pauseMillis = AGAIN_MILLIS

const tryAgainLater = (): void => {
  clearTimeout(timer)
  timer = setTimeout(() => void send(), pauseMillis)
  pauseMillis = Math.min(pauseMillis * 2, LONGEST_AGAIN_MILLIS)
}

/** Marks were saved in the moment in which they were to be sent: what is kept now is read again. */
class SavedAnew extends Error {}

let sending: Promise<void> | undefined
let isMoreToSend = false

const sendAll = async (): Promise<void> => {
  do {
    isMoreToSend = false
    let isSent = false
    try {
      // oxlint-disable-next-line no-await-in-loop -- what was saved while this ran comes next
      isSent = await oneTabAtATime('institute.sending', sendInOrder)
      pauseMillis = AGAIN_MILLIS
    } catch (error) {
      if (error instanceof SavedAnew) isMoreToSend = true
      // Once the password is given again, the console sends it.
      else if (!(error instanceof Problem) || error.status !== 401) tryAgainLater()
    }
    // oxlint-disable-next-line no-await-in-loop
    await changed()
    if (isSent) void afterChange('attendance')
  } while (isMoreToSend)
}

/** Sends what waits. */
const send = (): Promise<void> => {
  if (sessionOwner() === '') return Promise.resolve()
  isMoreToSend = true
  sending ??= sendAll().finally(() => {
    sending = undefined
  })
  return sending
}

let isStarted = false

const sendWaiting = (): void => {
  if (unsent.some(({ refusal }) => !refusal)) void send()
}

/** Sends what whoever is signed in has left in this browser, from now on by itself. */
export const startOutbox = async (): Promise<void> => {
  if (isStarted) return sendWaiting()
  isStarted = true
  otherTabs.addEventListener('message', () => void reload())
  window.addEventListener('online', sendWaiting)
  document.addEventListener('visibilitychange', sendWaiting)
  reachability.subscribe(sendWaiting)
  await store.sealFormer().catch(() => {})
  await reload()
  sendWaiting()
}

/** Marks of one session that build on what was saved of it before. */
export const merged = (former: readonly Mark[], latter: readonly Mark[]): Mark[] => [
  ...new Map([...former, ...latter].map((mark) => [mark.studentId, mark])).values(),
]

interface Saving {
  /** Of the roster that whoever marks has seen. */
  version: number
  marks: readonly Mark[]
  /** Called once the marks are safe. */
  onKept?: () => void
}

/**
 * Keeps marks in this browser and sends them.
 * @throws Problem where the browser keeps nothing and the server did not take them
 */
export const saveMarks = async (session: MarkedSession, { version: seen, marks, onKept }: Saving): Promise<Outcome> => {
  const version = raisedFrom(session.sessionId, seen)
  const fresh = { ...session, version, marks, savedAt: new Date().toISOString(), key: randomName(), isTried: false }
  let id: number
  try {
    id = await store.save(session.sessionId, (before) => {
      // What was refused has been seen, and decided anew.
      if (before.some(({ refusal }) => refusal)) return { marks: fresh, forget: before }
      const last = before.at(-1)
      // What may have left is sent again as it was, and this after it; what never left is sent together with this.
      if (!last || last.isTried) return { marks: fresh }
      return { marks: { ...fresh, id: last.id, version: last.version, marks: merged(last.marks, marks) } }
    })
  } catch {
    await put(session.sessionId, fresh)
    onKept?.()
    await afterChange('attendance')
    return 'sent'
  }
  await changed()
  onKept?.()
  await send()
  const kept = unsent.find((one) => one.id === id)
  if (!kept) return 'sent'
  return kept.refusal ? 'refused' : 'kept'
}

/** Gives the marks of a session up, which the server refused. */
export const discard = async (sessionId: string): Promise<void> => {
  await store.drop(unsent.filter((one) => one.sessionId === sessionId).map(({ id }) => id))
  await queryClient.invalidateQueries({ queryKey: ['/sessions', sessionId] })
  await changed()
}

const subscribe = (watcher: () => void): (() => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** What of the signed-in person's attendance the server does not have, or did not take. */
export const useUnsent = (): readonly Stored[] => useSyncExternalStore(subscribe, () => unsent)
