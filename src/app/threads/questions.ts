import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { RateLimited } from '#kernel/errors.ts'

export interface Bounds {
  /** The longest that the thread may work on one question, in milliseconds. It is abandoned then. */
  runMillis: number
  /** The thread ends after this time without a question, because of the memory that it takes. */
  idleMillis: number
  /** The thread ends after so many answers, and the next question starts another one. Default: never. */
  answers?: number
  /** The most questions that may wait; beyond that the caller gets 429. */
  waiting: number
}

interface Line<Question extends object, Answer> {
  /** What the thread is for, in the log. */
  name: string
  start(): Worker
  /** Makes the result of an answer. What it throws is the caller's. */
  result(answer: Answer): unknown
  /** What the log says of a question that was given up. */
  about(question: Question): object
  bounds: Bounds
  log: Logger
}

interface Asked<Question> {
  question: Question
  succeed: (result: never) => void
  fail: (error: unknown) => void
}

export interface QuestionThread<Question, Result> {
  /** @throws RateLimited when too many wait; Error after the time limit, or when the thread died */
  ask(question: Question): Promise<Result>
  close(): Promise<void>
}

const RETRY_AFTER_SECONDS = 2

/**
 * Asks a worker thread one question after the other. It starts with the first, and ends when it is told `end` after some
 * time without any. A thread that dies fails the question that it worked on; the next question starts a new one.
 */
export const questionThread = <Question extends object, Answer, Result>({
  name,
  start,
  result,
  about,
  bounds: { runMillis, idleMillis, answers = Infinity, waiting },
  log,
}: Line<Question, Answer> & { result(answer: Answer): Result }): QuestionThread<Question, Result> => {
  const line: Asked<Question>[] = []
  let thread: Worker | undefined
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

  const open = (): Worker => {
    const worker = start()
    answered = 0
    worker.on('message', (answer: Answer) => {
      if (worker !== thread) return
      const asked = finished()
      if (asked) settle(asked, answer)
      answered += 1
      if (answered >= answers) end()
      next()
    })
    worker.on('error', (error) => {
      log.warn({ err: error }, `the thread for ${name} failed`)
      if (worker !== thread) return
      thread = undefined
      finished()?.fail(error)
      next()
    })
    worker.on('exit', () => {
      if (worker !== thread) return
      thread = undefined
      finished()?.fail(new Error(`the thread for ${name} ended`))
      next()
    })
    return worker
  }

  /** Running work cannot be stopped from outside: abandon the thread, which ends when it can. */
  const giveUp = (): void => {
    const worker = thread
    thread = undefined
    log.warn(running && about(running.question), `the thread for ${name} took too long and was given up`)
    finished()?.fail(new Error(`the thread for ${name} took too long`))
    void worker?.terminate()
    next()
  }

  const end = (): void => {
    thread?.postMessage('end')
    thread = undefined
  }

  const next = (): void => {
    if (running) return
    running = line.shift()
    clearTimeout(timer)
    if (!running) {
      timer = thread && setTimeout(end, idleMillis).unref()
      return
    }
    timer = setTimeout(giveUp, runMillis).unref()
    try {
      thread ??= open()
      thread.postMessage(running.question)
    } catch (error) {
      finished()?.fail(error)
      next()
    }
  }

  return {
    ask: (question) =>
      new Promise<Result>((succeed, fail) => {
        if (line.length >= waiting) {
          fail(RateLimited(undefined, { 'Retry-After': String(RETRY_AFTER_SECONDS) }))
          return
        }
        line.push({ question, succeed, fail })
        next()
      }),
    close: async () => {
      const closing = new Error(`the thread for ${name} was closed`)
      for (const asked of line.splice(0)) asked.fail(closing)
      const worker = thread
      thread = undefined
      const asked = finished()
      asked?.fail(closing)
      if (!worker) return
      worker.ref()
      const ended = once(worker, 'exit')
      if (asked) void worker.terminate()
      else worker.postMessage('end')
      await ended
    },
  }
}
