import { useEffect, useSyncExternalStore } from 'react'
import { reachability } from '../send.ts'
import { Problem } from '../problem.ts'
import { afterChange } from '../queries.ts'
import { sessionOwner, useSession } from '../session.ts'
import type { Change } from '../stale.ts'
import { oneTabAtATime } from '../tabs-lock.ts'
import { isAnswered, type IntentHeader } from './intent.ts'
import { refusalOf, shelfOf, type Kept, type Refusal, type Saved } from './store.ts'

/**
 * Sends what is kept in this browser, and again for as long as the server cannot be reached: also after the tab was
 * closed, once the same person is signed in again. The Idempotency-Key makes sure that nothing takes effect twice.
 */

/** How one kind is sent. A new kind of what outlasts a tab needs this alone. */
export interface Policy<K extends Kept, Reply> {
  kind: K['kind']
  /** What an answer makes stale. */
  change: Change
  /** Those of one line go one after the other; what has no answer, or is refused, holds its own line up and no other. */
  lineOf: (kept: K) => string
  /** One request. @throws Problem */
  send: (kept: K, header: IntentHeader) => Promise<Reply>
  /** What changes in it before it is sent. */
  prepare?: (kept: K) => Partial<K>
  /** What must change in it so that it is taken, where nobody needs to decide; undefined: it is refused. */
  mend?: (kept: K, refusal: Refusal) => Partial<K> | undefined
  /** Called in every tab of this browser. */
  onReply?: (reply: Reply) => void
  /** Whether a refused one stays until somebody decides. Default: it is told, and forgotten. */
  keepsRefused?: boolean
  /** Whether it is too late to send it: the server would no longer know it again. */
  isOver?: (kept: K) => boolean
  /** Whether it is kept in memory where the browser keeps nothing. */
  isKeptInMemory?: boolean
  /** Brings over what a former version of the console kept elsewhere. */
  bringFormer?: () => Promise<void>
}

/** What the server answered to one. */
interface Answered<Reply> {
  key: string
  reply?: Reply
  refusal?: Refusal
}

export interface Answer<K extends Kept, Reply> extends Answered<Reply> {
  /** What it answers, as far as this tab knew of it. */
  kept: K | undefined
  /** Whether another tab sent it. */
  isElsewhere: boolean
}

/** Told to the other tabs of this browser. */
interface Message {
  kind: string
  answer?: Answered<unknown>
}

const AGAIN_MILLIS = 2000
const LONGEST_AGAIN_MILLIS = 15_000

const tabs = new BroadcastChannel('institute-intents')

export const senderOf = <K extends Kept, Reply>(policy: Policy<K, Reply>) => {
  const { kind, lineOf } = policy
  const shelf = shelfOf<K>(kind, policy)
  let kept: readonly K[] = []
  const watchers = new Set<() => void>()
  const listeners = new Set<(answer: Answer<K, Reply>) => void>()

  const tell = (): void => {
    for (const watcher of watchers) watcher()
  }
  const reload = async (): Promise<void> => {
    kept = await shelf.all().catch(() => [])
    tell()
  }
  const changed = async (): Promise<void> => {
    await reload()
    tabs.postMessage({ kind } satisfies Message)
  }
  const hear = (answer: Answered<Reply>, isElsewhere: boolean): void => {
    const { key, reply, refusal } = answer
    const answeredOne = kept.find((one) => one.key === key)
    if (reply !== undefined) policy.onReply?.(reply)
    const stays = refusal !== undefined && policy.keepsRefused
    if (!stays) kept = kept.filter((one) => one.key !== key)
    for (const listener of listeners) listener({ ...answer, kept: answeredOne, isElsewhere })
    tell()
    // What was refused and told may have been so because something is other than the page says.
    if (!stays) void afterChange(policy.change)
  }
  const answered = (answer: Answered<Reply>): void => {
    tabs.postMessage({ kind, answer } satisfies Message)
    hear(answer, false)
  }

  const maySend = (one: K): boolean => !one.refusal && policy.isOver?.(one) !== true

  /** @throws Problem that is no answer */
  const sendOne = async (found: K): Promise<void> => {
    // What is saved from now on does not join this, of which the server may learn in a moment.
    const changes = { ...policy.prepare?.(found), isTried: true } as Partial<K>
    if (!(await shelf.change(found, changes))) return
    const one = { ...found, ...changes }
    try {
      const reply = await policy.send(one, { 'Idempotency-Key': one.key })
      await shelf.drop([one.id])
      answered({ key: one.key, reply })
    } catch (error) {
      if (!(error instanceof Problem) || !isAnswered(error)) throw error
      const refusal = refusalOf(error)
      const mended = policy.mend?.(one, refusal)
      if (mended) return void (await shelf.change(one, mended))
      if (policy.keepsRefused) await shelf.change(one, { isTried: false, refusal } as Partial<K>)
      else await shelf.drop([one.id])
      answered({ key: one.key, refusal })
    }
  }

  const sendInOrder = async (line: string): Promise<void> => {
    const owner = sessionOwner()
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, in order
      const next = (await shelf.all()).find((one) => lineOf(one) === line)
      if (!next || !maySend(next) || sessionOwner() !== owner) return
      // oxlint-disable-next-line no-await-in-loop
      await sendOne(next)
    }
  }

  let timer: ReturnType<typeof setTimeout> | undefined
  let pauseMillis = AGAIN_MILLIS

  const tryAgainLater = (leastMillis = 0): void => {
    if (timer !== undefined) return
    timer = setTimeout(
      () => {
        timer = undefined
        void sendAll()
      },
      Math.max(pauseMillis, leastMillis),
    )
    pauseMillis = Math.min(pauseMillis * 2, LONGEST_AGAIN_MILLIS)
  }

  const runs = new Map<string, { isAsked: boolean; done: Promise<void> }>()

  const run = async (line: string, state: { isAsked: boolean }): Promise<void> => {
    while (state.isAsked) {
      state.isAsked = false
      try {
        // oxlint-disable-next-line no-await-in-loop -- what was saved while this ran comes next
        await oneTabAtATime(`institute.sending.${line}`, () => sendInOrder(line))
        pauseMillis = AGAIN_MILLIS
      } catch (error) {
        const problem = error instanceof Problem ? error : undefined
        // Once the password is given again, the console sends it.
        if (problem?.status !== 401) tryAgainLater((problem?.retryAfterSeconds ?? 0) * 1000)
      }
      // oxlint-disable-next-line no-await-in-loop
      await changed()
    }
    runs.delete(line)
  }

  /** Sends what waits in a line. @returns once each was tried */
  const sendLine = (line: string): Promise<void> => {
    if (sessionOwner() === '') return Promise.resolve()
    const running = runs.get(line)
    if (running) {
      running.isAsked = true
      return running.done
    }
    const state = { isAsked: true, done: Promise.resolve() }
    runs.set(line, state)
    state.done = run(line, state)
    return state.done
  }
  const sendAll = async (): Promise<void> => {
    await Promise.all([...new Set(kept.filter(maySend).map(lineOf))].map(sendLine))
  }

  tabs.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind !== kind) return
    if (data.answer) return hear(data.answer as Answered<Reply>, true)
    // The tab that sends it may be closed before it has an answer.
    void reload().then(() => isSending && kept.some(maySend) && tryAgainLater())
  })

  const subscribe = (watcher: () => void): (() => void) => {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  }
  let isStarted = false
  /** Whether somebody is signed in, and this is to be sent by itself. */
  let isSending = false

  /** Sends what whoever is signed in has left in this browser, from now on by itself. */
  const start = async (): Promise<void> => {
    if (!isStarted) {
      isStarted = true
      window.addEventListener('online', () => void sendAll())
      document.addEventListener('visibilitychange', () => void sendAll())
      reachability.subscribe(() => void (reachability.get() && sendAll()))
      await policy.bringFormer?.().catch(() => {})
      await reload()
    }
    await sendAll()
  }

  return {
    kept: (): readonly K[] => kept,

    /** @param make as of `shelfOf` @returns the id @throws where the browser keeps nothing, and this is not kept in memory */
    save: async (make: (before: readonly K[]) => { kept: Saved<K>; forget?: readonly K[] }): Promise<number> => {
      const id = await shelf.save(make)
      await changed()
      return id
    },
    drop: async (ids: readonly number[]): Promise<void> => {
      await shelf.drop(ids)
      await changed()
    },
    sendLine,
    /** Shows what is kept anew. */
    tell: (): void => {
      kept = [...kept]
      tell()
    },
    /** Calls back with each answer that this tab or another one hears. */
    onAnswer: (listener: (answer: Answer<K, Reply>) => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    useKept: (): readonly K[] => useSyncExternalStore(subscribe, () => kept),
    /** Sends for as long as somebody is signed in. */
    useSending: (): void => {
      const session = useSession()
      useEffect(() => {
        isSending = session === 'in'
        if (isSending) void start()
      }, [session])
    },
  }
}
