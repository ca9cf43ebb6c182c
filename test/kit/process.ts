import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const START_MILLIS = 20_000

/** Resolves once a started process is up. @throws its output, when it ends or takes too long */
export const untilUp = async (
  child: ChildProcess,
  { isUp, everyMillis, output }: { isUp: () => Promise<boolean> | boolean; everyMillis: number; output: () => string },
): Promise<void> => {
  const end = performance.now() + START_MILLIS
  while (!(await isUp())) {
    if (child.exitCode !== null || performance.now() > end) {
      child.kill('SIGKILL')
      throw new Error(`It did not start:\n${output().slice(-2000)}`)
    }
    await pause(everyMillis)
  }
}

/** Ends a process, if it still runs. */
export const endProcess = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

/** Resident memory of a process, in bytes. */
export const residentBytes = ({ pid }: ChildProcess): number => {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) * 1024
}
