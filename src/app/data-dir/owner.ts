import { statSync } from 'node:fs'

const ROOT = 0

/**
 * Makes root act as the owner of the data directory from now on. An administrator may run commands as root on the data
 * directory of a service user; the files that such a command leaves must still belong to the service.
 */
export const actAsOwner = (dataDir: string): void => {
  if (process.geteuid?.() !== ROOT) return
  const { uid, gid } = statSync(dataDir)
  if (uid === ROOT) return
  process.setgroups?.([gid])
  process.setegid?.(gid)
  process.seteuid?.(uid)
}

/**
 * Gives root's rights up for good, where `actAsOwner` has put them aside. It is for a server: its child processes must not
 * have them.
 */
export const stayOwner = (): void => {
  const [uid, gid] = [process.geteuid?.(), process.getegid?.()]
  if (uid === undefined || gid === undefined || process.getuid?.() === uid) return
  process.seteuid?.(ROOT)
  process.setgid?.(gid)
  process.setuid?.(uid)
}

/**
 * Runs `work` outside the data directory with the rights of the user who runs the command. `work` must be synchronous.
 */
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
