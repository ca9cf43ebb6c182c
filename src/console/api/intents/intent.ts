import { Problem } from '../problem.ts'
import { randomName } from '../random.ts'

/** The header by which the server knows a request again. */
export type IntentHeader = { 'Idempotency-Key': string }

/** Too many requests, or the session has ended: it was not looked at, and may be asked again under the same name. */
const NOT_LOOKED_AT = [401, 429]

/** Whether the server has decided. Otherwise nobody knows whether the request took effect. */
export const isAnswered = (error: unknown): boolean =>
  error instanceof Problem &&
  !error.isUnreachable &&
  !error.isForeign &&
  error.status < 500 &&
  !NOT_LOOKED_AT.includes(error.status) &&
  error.reason !== 'still_running'

/** A file is what it is called, how long it is and when it was changed: JSON knows nothing of it. */
const written = (input: unknown): string | undefined =>
  JSON.stringify(input, (_, value: unknown) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value,
  )

interface Intent {
  header: IntentHeader
  input: string | undefined
  /** undefined: it was sent, and its answer was lost. */
  onItsWay?: Promise<unknown>
}

/** Waits until the same person has signed in again. @returns whether they have; false where nobody asks them to */
export type GoesOn = () => Promise<boolean>

/**
 * Gives each intent one name, sent as its Idempotency-Key. The same input after an answer that was lost goes under the
 * same name, so that it takes effect once; while it is on its way it is not sent a second time. What is sent after an
 * answer, or with another input, is a new intent. One that met the end of the session goes on by itself once its owner
 * has signed in again.
 */
export class Intents {
  #latest: Intent | undefined
  readonly #named = new Map<string, Intents>()
  readonly #goesOn: GoesOn

  /** @param goesOn asked where the session has ended */
  constructor(goesOn: GoesOn = () => Promise.resolve(false)) {
    this.#goesOn = goesOn
  }

  /**
   * @param input what distinguishes this intent from another: everything that `send` puts into the request
   * @throws whatever `send` throws
   */
  once<T>(input: unknown, send: (header: IntentHeader) => Promise<T>): Promise<T> {
    const wanted = written(input)
    const former = this.#latest?.input === wanted ? this.#latest : undefined
    if (former?.onItsWay) return former.onItsWay as Promise<T>
    const intent: Intent = { header: former?.header ?? { 'Idempotency-Key': randomName() }, input: wanted }
    this.#latest = intent
    const sent = this.#settled(intent, send)
    intent.onItsWay = sent
    return sent
  }

  /** Where one change sends several requests: the intents of one of them, which it finds again by this name. */
  of(name: string): Intents {
    const intents = this.#named.get(name) ?? new Intents(this.#goesOn)
    this.#named.set(name, intents)
    return intents
  }

  async #sent<T>(intent: Intent, send: (header: IntentHeader) => Promise<T>): Promise<T> {
    try {
      return await send(intent.header)
    } catch (error) {
      const isOut = error instanceof Problem && error.status === 401
      if (!isOut || !(await this.#goesOn())) throw error
      return this.#sent(intent, send)
    }
  }

  async #settled<T>(intent: Intent, send: (header: IntentHeader) => Promise<T>): Promise<T> {
    let isSettled = true
    try {
      return await this.#sent(intent, send)
    } catch (error) {
      isSettled = isAnswered(error)
      throw error
    } finally {
      delete intent.onItsWay
      if (isSettled && this.#latest === intent) this.#latest = undefined
    }
  }
}

/** For a question that is put by POST and changes nothing: an empty name is none, and the server keeps no reply of it. */
export const NO_INTENT: IntentHeader = { 'Idempotency-Key': '' }

/** The header of one step of an intent that needs several requests: sent again, each step takes effect once. */
export const stepOf = (header: IntentHeader, step: string): IntentHeader => ({
  'Idempotency-Key': `${header['Idempotency-Key']}.${step}`,
})
