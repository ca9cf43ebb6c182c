import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** Linux counts processor time in hundredths of a second. */
const TICK_MILLIS = 10

const cronJobs = (fields: readonly string[]): number => fields.reduce((sum, field) => sum + Number(field), 0)

/** Milliseconds that a process has had of a processor, user and system, all its threads together. */
const processMillis = (pid: number): number => {
  // The name, in brackets, may hold blanks; user and system are the twelfth and thirteenth field after it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return cronJobs(fields.slice(11, 13)) * TICK_MILLIS
}

/** Milliseconds that all processors were busy, also for others of the same host. */
const machineMillis = (): number => {
  const [, user, nice, system, , , irq, softirq, steal] = readFileSync('/proc/stat', 'utf8').split(/\s+/, 9)
  return cronJobs([user, nice, system, irq, softirq, steal].map(String)) * TICK_MILLIS
}

/** What a process had of the processors while something went on. */
export interface Spent {
  millis: number
  /** The part of the machine that others had meanwhile: neither it nor this process. */
  others: number
}

/** Does the work, which is that of the process `pid` and of this one. */
export const spending = async <T>(pid: number, work: () => Promise<T>): Promise<{ result: T; spent: Spent }> => {
  const pids = [...new Set([pid, process.pid])]
  const state = () => ({ own: processMillis(pid), known: pids.map(processMillis), all: machineMillis() })
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const [before, started] = [state(), performance.now()]
  const result = await work()
  const [after, elapsed] = [state(), performance.now() - started]
  const foreign = after.all - before.all - (sum(after.known) - sum(before.known))
  const others = Math.max(0, foreign) / (elapsed * availableParallelism())
  return { result, spent: { millis: after.own - before.own, others } }
}
