import { writeSync } from 'node:fs'
import { pino, type Logger } from 'pino'
import { prettyFactory } from 'pino-pretty'
import { once } from '#kernel/basics/once.ts'
import type { Config } from '#app/config/config.ts'
import { LineWriter } from './line-writer.ts'
import { writesToJournal } from './service-manager.ts'

/** Fields of a request that may hold credentials. */
const REDACTED = ['req.headers.authorization', 'req.headers.cookie']

/** What the system log calls our levels: 2 critical, 3 error, 4 warning, 6 information, 7 debugging. */
const PRIORITIES: Readonly<Record<string, number>> = { fatal: 2, error: 3, warn: 4, info: 6, debug: 7, trace: 7 }

const withPriority = (line: string): string => {
  const [, level = ''] = /^\{"level":"(\w+)"/.exec(line) ?? []
  return `<${PRIORITIES[level] ?? PRIORITIES.info}>${line}`
}

/** The time of a line. The lines of one millisecond share its text: a busy server writes ten of them. */
const timestamp = (): (() => string) => {
  let at = 0
  let text = ''
  return () => {
    const now = Date.now()
    if (now !== at) text = `,"time":"${new Date(now).toISOString()}"`
    at = now
    return text
  }
}

const now = timestamp()

/** Shared by all loggers of the process, because there is one standard error. */
const standardError = once(() => {
  const shaped = process.stderr.isTTY
    ? prettyFactory({ colorize: true, translateTime: 'SYS:HH:MM:ss' })
    : writesToJournal()
      ? withPriority
      : (line: string) => line
  const notice = (lost: number, reason: string): string =>
    shaped(
      `{"level":"warn"${now()},"lost":${lost},"reason":"${reason}","msg":"lines of the log could not be written"}\n`,
    )
  return { shaped, writer: new LineWriter({ write: (bytes) => writeSync(2, bytes), notice }) }
})

/** How many lines of the log could not be written since the start. */
export const lostLogLines = (): number => standardError().writer.lost

/** Writes to standard error once per turn of the event loop, and once more before the process ends. */
const oncePerTurn = (): { write(line: string): void } => {
  const { shaped, writer } = standardError()
  let lines = ''
  const flush = (): void => {
    if (lines === '') return
    writer.write(lines)
    lines = ''
  }
  process.on('exit', flush)
  return {
    write: (line) => {
      if (lines === '') setImmediate(flush)
      lines += shaped(line)
    },
  }
}

/**
 * Logs JSON lines to standard error, or readable lines on a terminal; standard output is for results. In JSON a line names
 * its level and its time in UTC.
 * Writes from this thread, so nothing is lost at a normal end; a kill loses the lines of the last turn. Where standard
 * error takes no lines (a full disk, a pipe without a reader), the program goes on without them.
 */
export const openLog = ({ logLevel }: Pick<Config, 'logLevel'>): Logger => {
  const options = {
    level: logLevel,
    redact: REDACTED,
    // The program that collects the lines knows the process and the machine.
    base: null,
    timestamp: now,
    formatters: { level: (level: string) => ({ level }) },
  }
  return pino(options, oncePerTurn())
}
