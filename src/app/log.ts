import { pino, type Logger } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'

/** Where a request may carry something that no log should keep. */
const REDACTED = ['req.headers.authorization', 'req.headers.cookie']

/** Standard error, written once in a turn of the event loop, and before the process ends. */
const byTurn = (): { write(line: string): void } => {
  const destination = pino.destination({ dest: 2, sync: true })
  let lines = ''
  const flush = (): void => {
    if (lines === '') return
    destination.write(lines)
    lines = ''
  }
  process.on('exit', flush)
  return {
    write: (line) => {
      if (lines === '') setImmediate(flush)
      lines += line
    },
  }
}

/**
 * JSON lines on standard error, or readable ones when a terminal looks on; standard output is for results.
 * Written from this thread: nothing is lost at the end; a kill takes the lines of the last turn with it.
 */
export const openLog = ({ logLevel }: Pick<Config, 'logLevel'>): Logger => {
  const options = { level: logLevel, redact: REDACTED }
  return process.stderr.isTTY
    ? pino(
        options,
        pretty({ colorize: true, translateTime: 'HH:MM:ss', ignore: 'pid,hostname', sync: true, destination: 2 }),
      )
    : pino(options, byTurn())
}
