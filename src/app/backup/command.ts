import { spawn, spawnSync, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { environmentForOthers } from '#executable/environment.ts'
import { PLATFORM } from '#executable/platform.ts'

const LAST_WORDS = 500
const GRACE_MILLIS = 10_000
const OUTPUT_MILLIS = 1000

const SHELL_SCRIPT = /\.(?:cmd|bat)$/i
const POWERSHELL_SCRIPT = /\.ps1$/i

/** How a command is run on a file: Windows itself runs nothing but executables. */
export const commandOn = (command: string, file: string, platform = PLATFORM): [string, string[], SpawnOptions] => {
  // A group of its own can be ended as a whole; on Windows it would have a window of its own.
  if (platform === 'unix') return [command, [file], { detached: true }]
  if (SHELL_SCRIPT.test(command)) {
    return ['cmd.exe', ['/d', '/s', '/c', `""${command}" "${file}""`], { windowsVerbatimArguments: true }]
  }
  return POWERSHELL_SCRIPT.test(command)
    ? ['powershell.exe', ['-NoProfile', '-ExecutionPolicy', 'Bypass', '-File', command, file], {}]
    : [command, [file], {}]
}

/** Ends a command, with all that it has started. Windows knows no signal that asks for it. */
const kill = (id: number | undefined, signal: 'SIGTERM' | 'SIGKILL', platform = PLATFORM): void => {
  if (id === undefined) return
  if (platform === 'windows') {
    spawnSync('taskkill.exe', ['/T', '/F', '/PID', `${id}`], { stdio: 'ignore', windowsHide: true })
    return
  }
  try {
    process.kill(-id, signal)
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
  const [program, args, how] = commandOn(command, file)
  const child = spawn(program, args, {
    ...how,
    cwd: path.dirname(file),
    env: environmentForOthers(),
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
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
