import type { Logger } from 'pino'

/**
 * Logs what Node itself would print on standard error: its warnings, and the error that ends the program. Programs that
 * read the log expect one kind of line.
 */
export const logNodeMessages = (log: Logger): void => {
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn({ err: warning }, 'a warning of Node'))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an error that nothing expected ends the program')
    process.exit(1)
  })
}
