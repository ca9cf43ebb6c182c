import { statSync } from 'node:fs'

const ROOT = 0

/**
 * An administrator runs commands with root's rights on the data directory of a service's user; what such a command
 * leaves there must still be the service's. So root acts as the directory's owner from here on.
 */
export const actAsOwner = (dataDir: string): void => {
  if (process.geteuid?.() !== ROOT) return
  const { uid, gid } = statSync(dataDir)
  if (uid === ROOT) return
  process.setgroups?.([gid])
  process.setegid?.(gid)
  process.seteuid?.(uid)
}

/** Does something outside the data directory with the rights of whoever runs the command. `work` must not wait. */
export const asCaller = <T>(work: () => T): T => {
  const caller = process.getuid?.()
  const acting = process.geteuid?.()
  if (caller === undefined || acting === undefined || caller === acting) return work()
  process.seteuid?.(caller)
  try {
    return work()
  } finally {
    process.seteuid?.(acting)
  }
}
