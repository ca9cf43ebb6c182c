import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'
import { configHome } from '#app/config/config-home.ts'
import { lockFolder } from '#app/data-dir/data-lock.ts'
import { letsOthersIn } from '#app/trouble/rights.ts'
import { replaceFile } from '#app/config/replace-file.ts'

const Session = v.object({
  /** Scheme, host and port. */
  server: v.string(),
  email: v.string(),
  accessToken: v.string(),
  refreshToken: v.string(),
})

/** A platform admin's session at an issuer's server. */
export type Session = v.InferOutput<typeof Session>

const LOCK_MILLIS = 60_000
const LOOK_AGAIN_MILLIS = 50

const fileOf = (): string => path.join(configHome(), 'vendor.json')

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @throws an Error when nobody is signed in, or others may read the file */
export const readSession = (): Session => {
  const file = fileOf()
  if (!existsSync(file)) {
    throw new Error('Nobody is signed in: institute vendor login --server URL --email EMAIL does it.')
  }
  const opened = openSync(file, 'r')
  try {
    const stats = fstatSync(opened)
    if (letsOthersIn(stats)) {
      throw new Error(
        `Others may read ${file}: chmod 600 it, and sign in again for a session that nobody else has seen.`,
      )
    }
    if (process.getuid && stats.uid !== process.getuid()) throw new Error(`${file} belongs to another user.`)
    const session = v.safeParse(Session, parsed(readFileSync(opened, 'utf8')))
    if (!session.success) throw new Error(`${file} holds no session: remove it, and sign in again.`)
    return session.output
  } finally {
    closeSync(opened)
  }
}

/** Keeps the session where only this user can read it. The caller holds the lock. */
export const writeSession = (session: Session): void => replaceFile(fileOf(), `${JSON.stringify(session, null, 2)}\n`)

/** Forgets the session. */
export const removeSession = (): void => rmSync(fileOf(), { force: true })

/**
 * Does the work while no other command changes the session. A refresh token is good once: two commands that sent the same
 * one would end the session. The lock ends with the process.
 * @throws an Error when it is not free within a minute, which is longer than a command holds it
 */
export const withSessionLock = async <T>(work: () => Promise<T>): Promise<T> => {
  mkdirSync(configHome(), { recursive: true, mode: 0o700 })
  const until = Date.now() + LOCK_MILLIS
  let release = await lockFolder(configHome())
  while (!release) {
    if (Date.now() > until) throw new Error(`Another process holds the session in ${configHome()}: try again.`)
    await wait(LOOK_AGAIN_MILLIS)
    release = await lockFolder(configHome())
  }
  try {
    return await work()
  } finally {
    release()
  }
}
