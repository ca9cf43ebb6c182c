import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { Server } from 'node:https'
import type { Logger } from 'pino'
import { SYSTEM } from '#executable/system-words.ts'
import type { Config } from '#app/config/config.ts'
import { WrongSetting } from '#app/config/read-config.ts'
import { userArgument, userName } from '#app/trouble/user-names.ts'

/** How often the files are checked; a renewed certificate has days to spare. */
const LOOK_EVERY_MILLIS = 30_000

export interface KeyPair {
  cert: Buffer
  key: Buffer
}

/** @throws Error when a file cannot be read, or when certificate and key do not belong together */
const readPair = ({ certFile, keyFile }: NonNullable<Config['tls']>): KeyPair => {
  const pair = { cert: readFileSync(certFile), key: readFileSync(keyFile) }
  createSecureContext(pair)
  return pair
}

const print = ({ cert, key }: KeyPair): string => createHash('sha256').update(cert).update(key).digest('hex')

/** Reads certificate and key at the start. @throws WrongSetting */
export const firstPair = (files: NonNullable<Config['tls']>): KeyPair => {
  try {
    return readPair(files)
  } catch (error) {
    const { code, path: file, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new WrongSetting(`INSTITUTE_TLS_CERT, INSTITUTE_TLS_KEY: there is no ${file}.`)
    if ((code === 'EACCES' || code === 'EPERM') && file !== undefined) {
      const me = process.geteuid?.()
      throw new WrongSetting(
        `INSTITUTE_TLS_CERT, INSTITUTE_TLS_KEY: ${userName(me)} may not read ${file}. ${SYSTEM.readable(file, userArgument(me))}.`,
      )
    }
    throw new WrongSetting(
      `INSTITUTE_TLS_CERT=${files.certFile} and INSTITUTE_TLS_KEY=${files.keyFile}: must be a certificate (with its chain) and its key in PEM (${message}).`,
    )
  }
}

/**
 * Gives the server the new certificate whenever the files change; open connections keep theirs. An invalid pair is
 * logged, and the old one stays in use.
 * @returns a function that checks the files at once, and one that stops watching
 */
export const followFiles = (
  server: Server,
  files: NonNullable<Config['tls']>,
  first: KeyPair,
  log: Logger,
): { look(): void; end(): void } => {
  let current = print(first)
  const look = (): void => {
    try {
      const pair = readPair(files)
      if (print(pair) === current) return
      server.setSecureContext(pair)
      current = print(pair)
      log.info('the certificate was renewed')
    } catch (error) {
      log.error({ err: error }, 'the new certificate cannot be used; the one before goes on')
    }
  }
  const timer = setInterval(look, LOOK_EVERY_MILLIS)
  timer.unref()
  return { look, end: () => clearInterval(timer) }
}
