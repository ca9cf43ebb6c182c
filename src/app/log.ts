import { pino, type Logger } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'

/** Where a request may carry something that no log should keep. */
const REDACTED = ['req.headers.authorization', 'req.headers.cookie']

/**
 * JSON lines on standard error, or readable ones when a terminal looks on; standard output is for results.
 * Written from this thread: nothing is lost at the end.
 */
export const openLog = ({ logLevel }: Pick<Config, 'logLevel'>): Logger => {
  const options = { level: logLevel, redact: REDACTED }
  return process.stderr.isTTY
    ? pino(
        options,
        pretty({ colorize: true, translateTime: 'HH:MM:ss', ignore: 'pid,hostname', sync: true, destination: 2 }),
      )
    : pino(options, pino.destination({ dest: 2, sync: true }))
}
