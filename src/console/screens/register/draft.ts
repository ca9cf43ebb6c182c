import { useSyncExternalStore } from 'react'
import type { Schemas } from '../../api/client.ts'
import { isAnswered } from '../../api/intents/intent.ts'
import { pause } from '../../api/pause.ts'
import { Problem } from '../../api/problem.ts'
import { afterChange } from '../../api/queries.ts'
import { PartFailed, register, Saving, type Part, type Saved } from './saving.ts'
import { typedFrom, type Beginning, type Typed } from './typed.ts'

const AGAIN_MILLIS = 1000
const INTERNAL_ERROR = 500

interface DraftState {
  typed: Typed
  /** Whether one has tried to save it: what is missing is marked from then on. */
  isTried: boolean
  /** `waiting`: no answer has come, and the same is sent again until one does. */
  phase: 'typing' | 'saving' | 'waiting' | 'done'
  saved: Saved
  failure?: { part: Part; problem: Problem } | undefined
  /** Students who look the same, and of whom it was said that they are others. */
  otherIds: readonly string[]
}

/** Whether an answer will come, some time: the way to the server is cut, or it asks to wait. */
const isToCome = (problem: unknown): problem is Problem =>
  problem instanceof Problem && !isAnswered(problem) && problem.status !== INTERNAL_ERROR

/** Asks until an answer comes. @param wait called each time that none did @throws what was refused */
const untilAnswered = async <T>(ask: () => Promise<T>, wait: () => void): Promise<T> => {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      const problem = error instanceof PartFailed ? error.problem : error
      if (!isToCome(problem)) throw error
      wait()
      await pause((problem.retryAfterSeconds ?? 0) * 1000 || AGAIN_MILLIS)
    }
  }
}

const STALE_AFTER = ['guardian', 'student', 'enrollment', 'payment', 'lead'] as const

const guard = (event: BeforeUnloadEvent): void => event.preventDefault()

/**
 * A registration that is being typed. It outlives its page: whoever looks something up meanwhile finds it as it was. It
 * is kept in memory alone, for it is about people.
 */
export class Draft {
  readonly lead: Schemas['Lead'] | undefined
  readonly #saving = new Saving()
  readonly #watchers = new Set<() => void>()
  #state: DraftState

  constructor(beginning: Beginning) {
    this.lead = beginning.lead
    this.#state = { typed: typedFrom(beginning), isTried: false, phase: 'typing', saved: {}, otherIds: [] }
  }

  readonly get = (): DraftState => this.#state
  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  set(changes: Partial<DraftState>): void {
    this.#state = { ...this.#state, ...changes }
    for (const watcher of this.#watchers) watcher()
  }

  type(changes: Partial<Typed>): void {
    this.set({ typed: { ...this.#state.typed, ...changes } })
    // The browser asks before it closes or reloads a page with what is not saved.
    addEventListener('beforeunload', guard)
  }

  /** Nothing is left to be lost. */
  end(): void {
    removeEventListener('beforeunload', guard)
  }

  /**
   * Saves what is typed, and waits for the answers as long as it takes.
   * @param isRefused looks whether the same child is registered already
   * @returns whether it is saved
   */
  async save(isRefused: () => Promise<boolean>): Promise<boolean> {
    if (this.#state.phase !== 'typing') return false
    const { typed, saved } = this.#state
    const tell = (more: Saved) => this.set({ saved: { ...this.#state.saved, ...more }, phase: 'saving' })
    this.set({ phase: 'saving', failure: undefined })
    try {
      // Before anything is sent: afterwards the child that is found may be this one, of which the answer was lost.
      if (saved.student === undefined && (await untilAnswered(isRefused, () => this.set({ phase: 'waiting' }))))
        return false
      const send = () => register({ typed, lead: this.lead, saving: this.#saving, tell })
      await untilAnswered(send, () => this.set({ phase: 'waiting' }))
      this.end()
      this.set({ phase: 'done' })
      return true
    } catch (error) {
      this.set({ failure: error instanceof PartFailed ? error : { part: 'student', problem: error as Problem } })
      return false
    } finally {
      if (this.get().phase !== 'done') this.set({ phase: 'typing' })
      void Promise.all(STALE_AFTER.map(afterChange))
    }
  }
}

/** The registrations that are being typed in this tab, by where they began. */
const drafts = new Map<string, Draft>()

export const draftOf = (key: string, beginning: Beginning): Draft => {
  const draft = drafts.get(key) ?? new Draft(beginning)
  drafts.set(key, draft)
  return draft
}

export const forgetDraft = (key: string): void => {
  drafts.get(key)?.end()
  drafts.delete(key)
}

export const useDraft = (draft: Draft): DraftState => useSyncExternalStore(draft.subscribe, draft.get)
