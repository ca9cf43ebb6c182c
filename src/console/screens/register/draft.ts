import { useSyncExternalStore } from 'react'
import type { Schemas } from '../../api/client.ts'
import { registrations } from '../../api/intents/registrations.ts'
import { Problem } from '../../api/problem.ts'
import { invoicesOf, rehearseNow, type Rehearsal } from './rehearsal.ts'
import { fieldOf, typedFrom, type Beginning, type Typed } from './typed.ts'

type Body = Schemas['NewRegistration']

interface DraftState {
  typed: Typed
  /** Whether one has tried to save it: what is missing is marked from then on. */
  isTried: boolean
  /** `waiting`: no answer has come, and the same is asked again until one does. Before it is sent, only this tab knows of it. */
  phase: 'typing' | 'saving' | 'waiting' | 'done'
  /** The request that was sent, and has no answer yet. */
  sentKey?: string | undefined
  /** What the server said when one tried. */
  tried?: Rehearsal
  problem?: Problem | undefined
  /** Whether it costs something else than the page said when one tried. */
  hasNewPrices?: boolean
  done?: Schemas['Registration']
  /** Students who look the same, and of whom it was said that they are others. */
  otherIds: readonly string[]
}

type Student = Schemas['Student']

/** Of the students who look the same, those of whom nobody said yet that they are others. */
export const openTwins = ({ reply }: Rehearsal, otherIds: readonly string[]): Student[] =>
  (reply.students[0]?.knownStudents ?? []).filter(({ id }) => !otherIds.includes(id))

/** Who has the phone of the guardian that is typed; undefined: nobody has, as far as the reader may see. */
export const ownerOf = (
  { known, isWithoutGuardian, guardian }: Typed,
  rehearsal: Rehearsal | undefined,
): Schemas['KnownGuardian'] | undefined =>
  known || isWithoutGuardian || rehearsal?.asked.guardian?.phone !== guardian.phone
    ? undefined
    : rehearsal.reply.knownGuardians[0]

/** Whether somebody has to say first who is meant. */
const isAsking = ({ typed, otherIds }: DraftState, rehearsal: Rehearsal): boolean =>
  openTwins(rehearsal, otherIds).length > 0 || ownerOf(typed, rehearsal) !== undefined

const problemOf = ({ code, message, reason, path }: Schemas['RegistrationRefusal']): Problem =>
  new Problem(409, { code, message, details: { ...(reason !== null && { reason }), path } })

const UNFIT = 422

/** What is wrong, where something of it is in no field of the page. */
const untoldOf = ({ issues }: Rehearsal): Problem | undefined => {
  const untold = issues.filter(({ path }) => fieldOf(path) === undefined)
  return untold.length === 0 ? undefined : new Problem(UNFIT, { details: { issues: [...untold, ...issues] } })
}

type Invoices = ReturnType<typeof invoicesOf>

const pricesOf = (invoices: Invoices): string => JSON.stringify(invoices?.map(({ lines, total }) => [lines, total]))

/**
 * A registration that is being typed. It outlives its page: whoever looks something up meanwhile finds it as it was. It
 * is kept in memory alone, for it is about people.
 */
export class Draft {
  readonly lead: Schemas['Lead'] | undefined
  readonly #watchers = new Set<() => void>()
  /** Of this draft alone: others may still have something to be lost. */
  readonly #guard = (event: BeforeUnloadEvent): void => event.preventDefault()
  #state: DraftState

  constructor(beginning: Beginning) {
    this.lead = beginning.lead
    this.#state = { typed: typedFrom(beginning), isTried: false, phase: 'typing', otherIds: [] }
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
    this.set({ typed: { ...this.#state.typed, ...changes }, problem: undefined, hasNewPrices: false })
    // The browser asks before it closes or reloads a page with what is not saved.
    addEventListener('beforeunload', this.#guard)
  }

  /** Nothing is left to be lost. */
  end(): void {
    removeEventListener('beforeunload', this.#guard)
  }

  /**
   * Asks the server once more, and sends it where nothing is missing and it costs what the page says.
   * @param page.isUnfit whether something in a field cannot be understood
   * @param page.invoices what the page says that it costs; undefined: nothing yet
   * @returns whether it was sent
   */
  async save(body: Body, { isUnfit, invoices }: { isUnfit: boolean; invoices: Invoices }): Promise<boolean> {
    if (this.#state.phase !== 'typing') return false
    this.set({ isTried: true, phase: 'saving', problem: undefined, hasNewPrices: false })
    try {
      const rehearsal = await rehearseNow(body, () => this.set({ phase: 'waiting' }))
      const { refusal } = rehearsal.reply
      const isIncomplete = isUnfit || rehearsal.issues.length > 0 || isAsking(this.#state, rehearsal)
      const hasNewPrices = invoices !== undefined && pricesOf(invoices) !== pricesOf(invoicesOf(rehearsal, body))
      if (!isIncomplete && !refusal && !hasNewPrices) {
        this.#send(body)
        return true
      }
      const problem = isIncomplete ? untoldOf(rehearsal) : refusal ? problemOf(refusal) : undefined
      this.set({ phase: 'typing', tried: rehearsal, problem, hasNewPrices })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      this.set({ phase: 'typing', problem: error })
    }
    return false
  }

  #send(body: Body): void {
    const { key, isUnanswered } = registrations.take(body, ({ reply, refusal }) => {
      if (reply) {
        this.end()
        return this.set({ phase: 'done', done: reply, sentKey: undefined })
      }
      const problem = refusal && new Problem(refusal.status, refusal)
      this.set({ phase: 'typing', problem, sentKey: undefined })
    })
    this.set({ phase: 'saving', sentKey: key })
    void isUnanswered.then((isLost) => isLost && this.#state.sentKey === key && this.set({ phase: 'waiting' }))
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
