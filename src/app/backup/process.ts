import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import path from 'node:path'
import { isSea } from 'node:sea'
import { explained } from '#app/explain/explain.ts'
import { loadNative } from '#app/executable/native.ts'
import { environmentForOthers } from '#app/config/read-config.ts'
import { copyElsewhere, type Copy } from './copy.ts'
import { makeBackup, type Backup, type BackupConfig } from './make.ts'

/**
 * What is heavy about nightly backups runs in a process of its own: it takes no turn, memory or lock from the requests,
 * a share that does not answer holds nobody up, and where memory runs out it is this that ends.
 */
type Task = { make: { config: BackupConfig; createdAt: string } } | { copy: Copy }

type Answer = { done: Backup | undefined } | { problem: string }

/** The word that stands in place of a command. It is none: without a parent that speaks to it nothing happens. */
const WORD = 'backup-process'
const LOWEST_PRIORITY = 19
/** Of 1000: the system looks for what to end from there down. */
const FIRST_TO_GO = '500'

/** Whether this process was started by `startBackupProcess`. */
export const isBackupProcess = (args: readonly string[]): boolean => args[0] === WORD && process.connected

const yieldToOthers = (): void => {
  try {
    setPriority(LOWEST_PRIORITY)
    writeFileSync('/proc/self/oom_score_adj', FIRST_TO_GO)
  } catch {
    // Where the system does not allow it, or does not know it, the backup is made all the same.
  }
}

const work = async (task: Task): Promise<Backup | undefined> => {
  if ('copy' in task) {
    await copyElsewhere(task.copy)
    return undefined
  }
  const { config, createdAt } = task.make
  loadNative(config.dataDir)
  const clock = { now: () => createdAt, millis: () => Date.parse(createdAt) }
  return makeBackup(config, clock, { kind: 'nightly' })
}

const answer = async (task: Task): Promise<Answer> => {
  try {
    yieldToOthers()
    return { done: await work(task) }
  } catch (error) {
    const { message } = 'make' in task ? explained(error, task.make.config) : (error as Error)
    return { problem: message.replace(/\.$/, '') }
  }
}

/** Does the one thing that the parent asks for, and ends; also when the parent does. */
export const serveParent = async (): Promise<void> => {
  process.once('disconnect', () => process.exit())
  const [task] = (await once(process, 'message')) as [Task]
  const reply = await answer(task)
  process.send?.(reply, () => process.disconnect())
}

interface Running {
  /** @throws an Error that says what went wrong, without a full stop; also when the signal ended it */
  answer: Promise<Backup | undefined>
  /** The process is gone. That may take long where it waits for a share that does not answer. */
  ended: Promise<void>
}

/** Starts the process, which `signal` ends. */
export const startBackupProcess = (task: Task, signal: AbortSignal): Running => {
  const program = isSea() ? [] : [path.resolve(import.meta.dirname, '../../main.ts')]
  const child = spawn(process.execPath, [...program, WORD], {
    env: environmentForOthers(),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // A master key is bytes.
    serialization: 'advanced',
  })
  // One that cannot be ended does not keep this one from ending.
  child.unref()
  child.channel?.unref()
  const ended = new Promise<void>((resolve) => {
    for (const event of ['exit', 'error']) child.once(event, () => resolve())
  })
  const answered = new Promise<Backup | undefined>((resolve, reject) => {
    const stop = (): void => {
      child.kill('SIGKILL')
      reject(new Error('it was ended before it was done'))
    }
    signal.addEventListener('abort', stop)
    void ended.then(() => signal.removeEventListener('abort', stop))
    child.once('error', reject)
    child.once('exit', (code, by) => reject(new Error(`its process ended (${code ?? by})`)))
    child.once('message', (reply: Answer) => {
      if ('done' in reply) resolve(reply.done)
      else reject(new Error(reply.problem))
    })
    if (signal.aborted) stop()
    else child.send(task, (error) => error && reject(error))
  })
  return { answer: answered, ended }
}
