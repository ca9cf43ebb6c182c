import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { environmentForOthers } from '#executable/environment.ts'

const LAST_WORDS = 500
const GRACE_MILLIS = 10_000
const OUTPUT_MILLIS = 1000

const kill = (group: number | undefined, signal: NodeJS.Signals): void => {
  try {
    if (group !== undefined) process.kill(-group, signal)
  } catch {
    // No process of the group is left.
  }
}

const sayWhatIsWrong = (error: unknown, command: string): Error => {
  const { code, message } = error as NodeJS.ErrnoException
  const name = `${command} (INSTITUTE_BACKUP_COMMAND)`
  if (code === 'ENOENT') return new Error(`there is no ${name}, or not what runs it`, { cause: error })
  if (code === 'EACCES') return new Error(`${name} may not be executed`, { cause: error })
  return new Error(`${name} ${message}`, { cause: error })
}

/**
 * Runs the administrator's program with the path of a backup.
 * @param signal ends it, with all that it has started; its reason says why
 * @throws an Error with the end of its output unless it exits with 0
 */
export const runCommand = async (command: string, file: string, signal: AbortSignal): Promise<void> => {
  // A group of its own can be ended as a whole.
  const how = { cwd: path.dirname(file), env: environmentForOthers(), detached: true }
  const child = spawn(command, [file], { ...how, stdio: ['ignore', 'ignore', 'pipe'] })
  let words = ''
  child.stderr.on('data', (chunk: Buffer) => {
    words = `${words}${chunk.toString()}`.slice(-LAST_WORDS)
  })
  const silent = once(child.stderr, 'close')
  let lastResort: NodeJS.Timeout | undefined
  const end = (): void => {
    kill(child.pid, 'SIGTERM')
    lastResort = setTimeout(() => kill(child.pid, 'SIGKILL'), GRACE_MILLIS)
  }
  signal.addEventListener('abort', end)
  try {
    const [code, by] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    if (code === 0) return
    // Processes that it started may keep its output open.
    await Promise.race([silent, pause(OUTPUT_MILLIS)])
    const why = signal.aborted ? 'took too long and was ended' : code === null ? `was ended by ${by}` : `exited ${code}`
    throw new Error(words.trim() === '' ? why : `${why}: ${words.trim()}`)
  } catch (error) {
    throw sayWhatIsWrong(error, command)
  } finally {
    signal.removeEventListener('abort', end)
    clearTimeout(lastResort)
    if (signal.aborted) kill(child.pid, 'SIGKILL')
  }
}
