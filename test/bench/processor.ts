import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** Linux counts processor time in ticks of 10 ms. */
const TICK_MILLIS = 10

const ticks = (fields: readonly string[]): number => fields.reduce((sum, field) => sum + Number(field), 0)

/** What Linux says of a process after its name, which stands in brackets and may contain blanks. */
const fieldsOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')

/** Processor time of a process in milliseconds: user and system, all threads. */
export const processMillis = (pid: number): number => ticks(fieldsOf(pid).slice(11, 13)) * TICK_MILLIS

/** Processor time of a process and of those that it started and that have ended, in milliseconds. */
const millisWithEnded = (pid: number): number => ticks(fieldsOf(pid).slice(11, 15)) * TICK_MILLIS

/** Processor time of a process and of all that it started itself, in milliseconds. */
export const millisWithChildren = (pid: number): number => {
  const isChild = (other: number): boolean => {
    try {
      return Number(fieldsOf(other)[1]) === pid
    } catch {
      return false
    }
  }
  const running = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter(isChild)
  return [pid, ...running].reduce((sum, one) => sum + millisWithEnded(one), 0)
}

/** Milliseconds that all processors were busy, including for other guests of the host. */
const machineMillis = (): number => {
  const [, user, nice, system, , , irq, softirq, steal] = readFileSync('/proc/stat', 'utf8').split(/\s+/, 9)
  return ticks([user, nice, system, irq, softirq, steal].map(String)) * TICK_MILLIS
}

/** The processor time that processes used while something ran. */
export interface Spent {
  millis: number
  /** The share of the machine that processes other than those and this one used meanwhile. */
  others: number
}

/** Runs the work, which this process and the process or processes `of` do. */
export const spending = async <T>(
  of: number | readonly number[],
  work: () => Promise<T>,
): Promise<{ result: T; spent: Spent }> => {
  const measured = [of].flat()
  const pids = [...new Set([...measured, process.pid])]
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const state = () => ({
    own: sum(measured.map(processMillis)),
    known: pids.map(processMillis),
    all: machineMillis(),
  })
  const [before, started] = [state(), performance.now()]
  const result = await work()
  const [after, elapsed] = [state(), performance.now() - started]
  const foreign = after.all - before.all - (sum(after.known) - sum(before.known))
  const others = Math.max(0, foreign) / (elapsed * availableParallelism())
  return { result, spent: { millis: after.own - before.own, others } }
}
