import { pino, type Logger } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'

/** Fields of a request that may hold credentials. */
const REDACTED = ['req.headers.authorization', 'req.headers.cookie']

/** Writes to standard error once per turn of the event loop, and once more before the process ends. */
const oncePerTurn = (): { write(line: string): void } => {
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
 * Logs JSON lines to standard error, or readable lines on a terminal; standard output is for results.
 * Writes from this thread, so nothing is lost at a normal end; a kill loses the lines of the last turn.
 */
export const openLog = ({ logLevel }: Pick<Config, 'logLevel'>): Logger => {
  const options = { level: logLevel, redact: REDACTED }
  return process.stderr.isTTY
    ? pino(
        options,
        pretty({ colorize: true, translateTime: 'HH:MM:ss', ignore: 'pid,hostname', sync: true, destination: 2 }),
      )
    : pino(options, oncePerTurn())
}
