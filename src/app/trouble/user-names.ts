import { readFileSync } from 'node:fs'

const named = (uid: number | undefined): string | undefined => {
  if (uid === undefined) return 'this user'
  try {
    const users = readFileSync('/etc/passwd', 'utf8').split('\n')
    return users.map((line) => line.split(':')).find(([, , id]) => id === String(uid))?.[0]
  } catch {
    return undefined
  }
}

/** The name of a user for a message; undefined: a system without such numbers; `user 1234` where this machine has no name for the id. */
export const userName = (uid: number | undefined): string => named(uid) ?? `user ${uid}`

/** The name or number of a user, as commands such as chown take it. */
export const userArgument = (uid: number | undefined): string => named(uid) ?? String(uid)
