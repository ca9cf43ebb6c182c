import type { ChildProcess } from 'node:child_process'
import { once, type EventEmitter } from 'node:events'
import type { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { RateLimited } from '#kernel/values/errors.ts'
import { FairLine, type LineBounds, type Requester } from '#kernel/contract/fair-line.ts'

/** A worker thread or a child process that answers questions. By itself it does not keep this process alive. */
export interface Helper {
  /** Emits `message`, `error` and `exit`. */
  events: EventEmitter
  ask(question: object | 'end' | 'rest'): void
  end(): void
  ref(): void
}

export const helpingThread = (worker: Worker): Helper => ({
  events: worker,
  ask: (question) => worker.postMessage(question),
  end: () => void worker.terminate(),
  ref: () => worker.ref(),
})

export const helpingProcess = (child: ChildProcess): Helper => ({
  events: child,
  // One that is gone says so by its `exit`.
  ask: (question) => void child.send(question, () => {}),
  end: () => void child.kill('SIGKILL'),
  ref: () => child.ref(),
})

export interface Bounds {
  /** The longest that the helper may work on one question, in milliseconds. It is abandoned then. */
  runMillis: number
  /** The helper ends after this time without a question, because of the memory that it takes. */
  idleMillis: number
  /** The helper ends after so many answers, and the next question starts another one. Default: never. */
  answers?: number
  /** How many questions may wait; beyond that the caller gets 429. */
  waiting: LineBounds
}

interface Line<Question extends object, Answer> {
  /** What the helper is for, in the log. */
  name: string
  start(): Helper
  /** Keeps an answer that is only a part. @returns what asks for the rest; undefined: it is the last. Default: all are. */
  rest?(answer: Answer): 'rest' | undefined
  /** Makes the result of the last answer. What it throws is the caller's. */
  result(answer: Answer): unknown
  /** What the log says of a question that was given up. */
  about(question: Question): object
  /** What the caller gets for whom too many questions wait. Default: RateLimited. */
  refusal?: typeof RateLimited
  /** For whom a question is asked. */
  requester: () => Requester
  bounds: Bounds
  log: Logger
}

interface Asked<Question> {
  question: Question
  succeed: (result: never) => void
  fail: (error: unknown) => void
}

export interface HelperLine<Question, Result> {
  /** @throws RateLimited when too many wait; Error after the time limit, or when the helper died */
  ask(question: Question): Promise<Result>
  close(): Promise<void>
}

/** One institute has half of the places, and one caller half of those. */
export const WAITING: LineBounds = { most: 64, mostOfEach: [32, 16] }

const RETRY_AFTER_SECONDS = 2

/**
 * Asks a helper one question after the other. Institutes take turns, and the callers of one among themselves. The helper
 * starts with the first question, and ends when it is told `end` after some time without any. One that dies fails the
 * question that it worked on; the next question starts a new one.
 */
export const helperLine = <Question extends object, Answer, Result>({
  name,
  start,
  rest,
  result,
  about,
  refusal = RateLimited,
  requester,
  bounds: { runMillis, idleMillis, answers = Infinity, waiting },
  log,
}: Line<Question, Answer> & { result(answer: Answer): Result }): HelperLine<Question, Result> => {
  const line = new FairLine<Asked<Question>>(waiting)
  let helper: Helper | undefined
  let answered = 0
  let running: Asked<Question> | undefined
  let timer: NodeJS.Timeout | undefined

  const finished = (): Asked<Question> | undefined => {
    clearTimeout(timer)
    const asked = running
    running = undefined
    return asked
  }

  const settle = (asked: Asked<Question>, answer: Answer): void => {
    try {
      asked.succeed(result(answer) as never)
    } catch (error) {
      asked.fail(error)
    }
  }

  const open = (): Helper => {
    const opened = start()
    answered = 0
    opened.events.on('message', (answer: Answer) => {
      if (opened !== helper) return
      const more = running && rest?.(answer)
      if (more !== undefined) {
        // In a later turn: a helper that answers fast would have its messages read without a pause.
        setImmediate(() => opened.ask(more))
        return
      }
      const asked = finished()
      if (asked) settle(asked, answer)
      answered += 1
      if (answered >= answers) end()
      next()
    })
    opened.events.on('error', (error: Error) => {
      log.warn({ err: error }, `the helper for ${name} failed`)
      if (opened !== helper) return
      helper = undefined
      finished()?.fail(error)
      next()
    })
    opened.events.on('exit', (code: number | null, signal?: string) => {
      if (opened !== helper) return
      helper = undefined
      log.warn({ code, signal }, `the helper for ${name} ended unasked`)
      finished()?.fail(new Error(`the helper for ${name} ended`))
      next()
    })
    return opened
  }

  /** Running work cannot be stopped from outside: abandon the helper, which ends when it can. */
  const giveUp = (): void => {
    const abandoned = helper
    helper = undefined
    log.warn(running && about(running.question), `the helper for ${name} took too long and was given up`)
    finished()?.fail(new Error(`the helper for ${name} took too long`))
    abandoned?.end()
    next()
  }

  const end = (): void => {
    helper?.ask('end')
    helper = undefined
  }

  const next = (): void => {
    if (running) return
    running = line.next()
    clearTimeout(timer)
    if (!running) {
      timer = helper && setTimeout(end, idleMillis).unref()
      return
    }
    // Whoever waits for an answer waits for it to the end: this timer keeps the process alive, which the helper does not.
    timer = setTimeout(giveUp, runMillis)
    try {
      helper ??= open()
      helper.ask(running.question)
    } catch (error) {
      finished()?.fail(error)
      next()
    }
  }

  return {
    ask: (question) =>
      new Promise<Result>((succeed, fail) => {
        const refused = line.add(requester(), { question, succeed, fail })
        refused?.fail(refusal(undefined, { 'Retry-After': String(RETRY_AFTER_SECONDS) }))
        next()
      }),
    close: async () => {
      const closing = new Error(`the helper for ${name} was closed`)
      for (const asked of line.clear()) asked.fail(closing)
      const closed = helper
      helper = undefined
      const asked = finished()
      asked?.fail(closing)
      if (!closed) return
      closed.ref()
      // One that could not be started has no exit, but an error.
      const ended = once(closed.events, 'exit').catch(() => {})
      if (asked) closed.end()
      else closed.ask('end')
      await ended
    },
  }
}
