import { once } from 'node:events'
import { setPriority } from 'node:os'
import { explained } from '#app/explain/explain.ts'
import type { BackupKind } from '#app/data-dir/backup-names.ts'
import { loadNative } from '#app/data-dir/native.ts'
import { startChild } from '#executable/child-process.ts'
import { goFirst } from '#executable/go-first.ts'
import { copyToBucket, type BucketCopy } from './bucket.ts'
import { copyToFolder, type FolderCopy } from './copy.ts'
import { CannotRestore, reasonOf, type RestoreReason } from './cannot-restore.ts'
import { NoRoom } from './free-space.ts'
import { layBackup, openInPlace, type Laid, type LayTask, type OpenTask } from './lay.ts'
import { lookInside, type LookTask } from './look-inside.ts'
import type { BackupSummary } from './backup-summary.ts'
import { makeBackup, type Backup, type BackupConfig } from './make.ts'

/**
 * The heavy work of backups runs in a process of its own. It does not block the event loop that serves requests,
 * a share that does not answer delays nobody, and if memory runs out, the system ends this process first.
 */
type Task =
  | { make: { config: BackupConfig; createdAt: string; kind: BackupKind } }
  | { copy: FolderCopy | BucketCopy }
  | { lay: LayTask }
  | { look: LookTask }
  | { open: OpenTask }

type Answer = { done: unknown } | { problem: string; reason?: RestoreReason | undefined }

/** The first argument of such a process. It is no command: without a parent process that talks to it, it does nothing. */
const WORD = 'backup-process'
const LOWEST_PRIORITY = 19

/** Whether this process was started by `startBackupProcess`. */
export const isBackupProcess = (args: readonly string[]): boolean => args[0] === WORD && process.connected

const yieldToOthers = (): void => {
  goFirst()
  try {
    setPriority(LOWEST_PRIORITY)
  } catch {
    // If the system does not allow this, the backup is made anyway.
  }
}

const work = async (task: Task): Promise<Backup | Laid | BackupSummary | undefined> => {
  if ('look' in task) {
    loadNative(task.look.config.dataDir)
    return lookInside(task.look)
  }
  if ('open' in task) {
    await openInPlace(task.open)
    return undefined
  }
  if ('lay' in task) {
    loadNative(task.lay.config.dataDir)
    return layBackup(task.lay)
  }
  if ('copy' in task) {
    if ('folder' in task.copy) await copyToFolder(task.copy)
    else await copyToBucket(task.copy)
    return undefined
  }
  const { config, createdAt, kind } = task.make
  loadNative(config.dataDir)
  const clock = { now: () => createdAt, millis: () => Date.parse(createdAt) }
  return makeBackup(config, clock, { kind })
}

const answer = async (task: Task): Promise<Answer> => {
  try {
    // Somebody waits for a restore.
    const isAwaited = 'lay' in task || 'open' in task || ('make' in task && task.make.kind === 'before-restore')
    if (!isAwaited) yieldToOthers()
    return { done: await work(task) }
  } catch (error) {
    const { message } = 'make' in task ? explained(error, task.make.config) : (error as Error)
    const isOfBackup = 'lay' in task || 'look' in task || 'open' in task
    const reason = isOfBackup || error instanceof NoRoom ? reasonOf(error) : undefined
    return { problem: message.replace(/\.$/, ''), reason }
  }
}

/** Does the one task that the parent sends, then exits. It also exits when the parent does. */
export const serveParent = async (): Promise<void> => {
  process.once('disconnect', () => process.exit())
  const [task] = (await once(process, 'message')) as [Task]
  const reply = await answer(task)
  process.send?.(reply, () => process.disconnect())
}

interface Running<T> {
  /** @throws an Error that says what went wrong, without a full stop; also when the signal ended it */
  answer: Promise<T>
  /** The process is gone. That may take long where it waits for a share that does not answer. */
  ended: Promise<void>
}

/** Starts the process, which `signal` ends. */
export const startBackupProcess = <T = Backup | undefined>(task: Task, signal: AbortSignal): Running<T> => {
  const child = startChild('main.ts', [WORD])
  const ended = new Promise<void>((resolve) => {
    for (const event of ['exit', 'error']) child.once(event, () => resolve())
  })
  const answered = new Promise<T>((resolve, reject) => {
    const stop = (): void => {
      child.kill('SIGKILL')
      reject(new Error('it was ended before it was done'))
    }
    signal.addEventListener('abort', stop)
    void ended.then(() => signal.removeEventListener('abort', stop))
    child.once('error', reject)
    child.once('exit', (code, by) => reject(new Error(`its process ended (${code ?? by})`)))
    child.once('message', (reply: Answer) => {
      if ('done' in reply) resolve(reply.done as T)
      else if (reply.reason) reject(new CannotRestore(reply.reason, reply.problem))
      else reject(new Error(reply.problem))
    })
    if (signal.aborted) stop()
    else child.send(task, (error) => error && reject(error))
  })
  return { answer: answered, ended }
}
