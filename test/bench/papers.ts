import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { API_ROOT } from '#http/server/server.ts'
import { median, type Row, type Sample } from './figures.ts'
import { inRounds, type Measure } from './rounds.ts'
import { openSchool, type School } from './school.ts'

const STUDENTS = 10_000
const NEXT = 20
const BATCH = 300
/** As long as the process for papers waits for one more (src/ports/papers/typst/printer.ts), and a little over. */
const SETTLED_MILLIS = 70_000
const MEGABYTE = 1024 * 1024

/** The next invoice in turn. */
const papersOf = ({ program, token, invoiceIds }: School) => {
  let next = 0
  return async (): Promise<void> => {
    const id = invoiceIds[(next += 1) % invoiceIds.length]
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${program.url}${API_ROOT}/invoices/${id}/pdf`, { headers })
    const bytes = Buffer.from(await response.arrayBuffer())
    if (bytes.toString('latin1', 0, 5) !== '%PDF-') throw new Error(`no paper: ${response.status} ${bytes.toString()}`)
  }
}

const statusOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    // It ended since it was listed.
    return ''
  }
}

const helpersOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statusOf(name).includes(`PPid:\t${pid}\n`))
    .map(Number)

const millisOf = async (work: () => Promise<void>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const batch = async (print: () => Promise<void>): Promise<void> => {
  for (let made = 0; made < BATCH; made += 1) await print()
}

const withPapers =
  (look: (print: () => Promise<void>, school: School) => Promise<Sample>): Measure =>
  async (bench, rounds) => {
    const school = await bench.school(STUDENTS)
    const print = papersOf(school)
    return inRounds(rounds, () => look(print, school))
  }

const first = withPapers(async (print, { program }) => {
  await print()
  for (const pid of helpersOf(program.pid)) process.kill(pid, 'SIGKILL')
  while (helpersOf(program.pid).length > 0) await pause(10)
  return { ours: (await millisOf(print)) / 1000 }
})

const following = withPapers(async (print) => {
  await print()
  const times: number[] = []
  while (times.length < NEXT) times.push(await millisOf(print))
  return { ours: median(times) }
})

const batches = withPapers(async (print) => ({ ours: (await millisOf(() => batch(print))) / 1000 }))

/** Measured once, on a program of its own. */
const memory: Measure = async (bench) => {
  const school = await openSchool(await bench.executable(), bench.emptyFolder(), STUDENTS)
  const held = () => [school.program.pid, ...helpersOf(school.program.pid)].map(residentOf).reduce((a, b) => a + b, 0)
  try {
    // Garbage of the filling is given back first.
    await pause(SETTLED_MILLIS / 7)
    const before = held()
    await batch(papersOf(school))
    const most = held()
    await pause(SETTLED_MILLIS)
    const after = held()
    return {
      samples: [{ ours: after - before }],
      below: [`${before.toFixed(0)} MB before, ${most.toFixed(0)} after the last, ${after.toFixed(0)} at the end`],
    }
  } finally {
    await school.close()
  }
}

const residentOf = (pid: number): number =>
  (Number(/^VmRSS:\s+(\d+) kB$/m.exec(statusOf(String(pid)))?.[1] ?? 0) * 1024) / MEGABYTE

const own = { against: '', better: 'lower' } as const

export const paperRows: readonly (Row & { measure: Measure })[] = [
  {
    ...own,
    name: 'first-paper',
    what: 'an invoice as PDF while no process for papers runs',
    unit: 's',
    floor: 0.42,
    goal: 0.25,
    measure: first,
  },
  {
    ...own,
    name: 'next-paper',
    what: 'the next invoices as PDF',
    unit: 'ms',
    floor: 16,
    goal: 12,
    measure: following,
  },
  {
    ...own,
    name: 'papers-300',
    what: '300 invoices as PDF, one after the other',
    unit: 's',
    floor: 6,
    goal: 4,
    measure: batches,
  },
  {
    ...own,
    name: 'memory-after-papers',
    what: 'memory beyond that of before, a minute after 300 papers',
    unit: 'MB',
    floor: 60,
    goal: 20,
    measure: memory,
  },
]
