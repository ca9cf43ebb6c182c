import { execFile } from 'node:child_process'
import { fstatSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Logger } from 'pino'

/**
 * What systemd tells a service in its environment, and how the service answers. Its socket takes datagrams, which Node
 * cannot send to a path, so the program `systemd-notify`, which comes with systemd, sends them. It is another process, so
 * the unit says `NotifyAccess=all`.
 */

const run = promisify(execFile)

/**
 * The host of the service on Windows (installer/windows/host.c) names a file that is made once the program serves, and asks it
 * to stop by closing its standard input: there are no signals, and a service has no console for Ctrl+Break.
 */
const readyFileOf = ({ SERVICE_READY_FILE } = process.env): string | undefined => SERVICE_READY_FILE || undefined

/** Calls back once the host of the service asks the program to stop, or is gone. Without a host nothing happens. */
export const whenHostStops = (stop: () => void, environment = process.env, input?: NodeJS.ReadableStream) => {
  if (readyFileOf(environment) === undefined) return
  // Looking at standard input opens it, which takes 4 ms of a start: only where there is a host.
  const ends = input ?? process.stdin
  ends.once('end', stop).once('error', stop).resume()
}

/** Whether standard error is the system journal's, which takes `<N>` before a line as its priority and keeps the rest. */
export const writesToJournal = ({ JOURNAL_STREAM } = process.env): boolean => {
  if (JOURNAL_STREAM === undefined) return false
  const { dev, ino } = fstatSync(2)
  return JOURNAL_STREAM === `${dev}:${ino}`
}

/** How many signs of life are sent within the time after which systemd takes the service for dead. */
const SIGNS_PER_TIMEOUT = 4

/** The service manager that started this program; where there is none, it hears nothing. */
export class ServiceManager {
  readonly #log: Logger
  readonly #look: () => Promise<unknown>
  readonly #listens: boolean
  readonly #readyFile: string | undefined
  readonly #timeoutMillis: number | undefined
  #signs: NodeJS.Timeout | undefined

  /** @param look asks the database something; as long as that is neither answered nor refused, no sign of life is sent */
  constructor(log: Logger, look: () => Promise<unknown>, environment = process.env) {
    const { NOTIFY_SOCKET = '', WATCHDOG_USEC = '', WATCHDOG_PID = `${process.pid}` } = environment
    this.#log = log
    this.#look = look
    this.#listens = NOTIFY_SOCKET !== ''
    this.#readyFile = readyFileOf(environment)
    const isMeant = /^[1-9]\d*$/.test(WATCHDOG_USEC) && WATCHDOG_PID === `${process.pid}`
    this.#timeoutMillis = isMeant ? Number(WATCHDOG_USEC) / 1000 : undefined
  }

  /** The program serves. Signs of life follow, where they are asked for, for as long as it can work. */
  async ready(status: string): Promise<void> {
    await this.#tell('READY=1', `STATUS=${status}`)
    if (this.#readyFile !== undefined) writeFileSync(this.#readyFile, '')
    if (this.#timeoutMillis === undefined || !this.#listens) return
    let isLooking = false
    const sign = async (): Promise<void> => {
      if (isLooking) return
      isLooking = true
      // A database that refuses, of a full disk say, is not stuck: a restart would not help, and callers are told.
      await this.#look().catch(() => {})
      isLooking = false
      if (this.#signs) await this.#tell('WATCHDOG=1')
    }
    this.#signs = setInterval(() => void sign(), this.#timeoutMillis / SIGNS_PER_TIMEOUT).unref()
  }

  /** The program is stopping, and lets running work end. */
  async stopping(): Promise<void> {
    clearInterval(this.#signs)
    this.#signs = undefined
    await this.#tell('STOPPING=1')
  }

  /**
   * Another takes its place in this process: signs of life go on, as the service manager would end the service else.
   * @returns a function that ends them
   */
  async pausing(): Promise<() => void> {
    clearInterval(this.#signs)
    this.#signs = undefined
    await this.#tell('STATUS=A backup is being put back')
    if (this.#timeoutMillis === undefined || !this.#listens) return () => {}
    const signs = setInterval(() => void this.#tell('WATCHDOG=1'), this.#timeoutMillis / SIGNS_PER_TIMEOUT).unref()
    return () => clearInterval(signs)
  }

  async #tell(...assignments: string[]): Promise<void> {
    if (!this.#listens) return
    try {
      await run('systemd-notify', assignments)
    } catch (error) {
      this.#log.warn({ err: error, assignments }, 'systemd could not be told how the program does')
    }
  }
}
