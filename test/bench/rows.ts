import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { absenceRows } from './absences.ts'
import { accountRows } from './accounts.ts'
import { alignmentRows } from './alignment.ts'
import { consoleRows } from './console.ts'
import { CONNECTIONS, drive, eachOnce, measured } from './client.ts'
import { doneBy, doneIn, sampleOf, type Done } from './done.ts'
import { p99, type Row, type Sample } from './figures.ts'
import { moneyRows } from './money.ts'
import { narrowedLists } from './narrowed-lists.ts'
import { othersWait } from './others-wait.ts'
import { paperRows } from './papers.ts'
import { platformListRows } from './platform-lists.ts'
import { THREE_PROCESSES, threeProcesses } from './processes.ts'
import { Program } from './program.ts'
import { CLAIMS, LANES, openQueue } from './queue.ts'
import { familyRows } from './families.ts'
import { BESIDE_EXPORT, besideExport } from './beside-export.ts'
import { importRows, LIST_FILES, listFiles } from './imports.ts'
import { BESIDE_REGISTRATIONS, besideRegistrations } from './registrations.ts'
import { openSchool, type School } from './school.ts'
import { inRounds, type Measure } from './rounds.ts'
import { tenantRows } from './tenants.ts'
import { termRows } from './term.ts'
import { TOOL_CALL, toolCalls } from './tool-calls.ts'
import type { Workbench } from './workbench.ts'
import { newStudent, writeRows } from './writes.ts'

const SMALL = 10_000
const LARGE = 200_000
const READ_MILLIS = 2000

const readsOf = async (server: { url: string; pid: number }, make: () => Buffer): Promise<Done> =>
  doneIn(await measured(server, make, READ_MILLIS))

const lists = ({ program, request }: School, query = ''): Promise<Done> => {
  const list = request('GET', `/students?limit=25${query}`)
  return readsOf(program, () => list)
}

const referenceReads = async (bench: Workbench, path: string): Promise<Done> => {
  const reference = await bench.reference('http', await bench.school(SMALL))
  const { url } = await reference.ask<{ url: string }>({})
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  return readsOf({ url, pid: reference.pid }, () => request)
}

const list: Measure = async (bench, rounds) => {
  const school = await bench.school(SMALL)
  return inRounds(rounds, async () => {
    const reference = await referenceReads(bench, '/students')
    return sampleOf(await lists(school), reference)
  })
}

const growth =
  (query = ''): Measure =>
  async (bench, rounds) => {
    const [small, large] = [await bench.school(SMALL), await bench.school(LARGE)]
    return inRounds(rounds, async () => {
      const reference = await lists(small, query)
      return sampleOf(await lists(large, query), reference)
    })
  }

const byId: Measure = async (bench, rounds) => {
  const { program, request, studentIds } = await bench.school(SMALL)
  const requests = studentIds.map((id) => request('GET', `/students/${id}`))
  let next = 0
  const any = () => requests[(next += 7919) % requests.length] as Buffer
  return inRounds(rounds, async () => {
    const reference = await referenceReads(bench, '/fixed')
    return sampleOf(await readsOf(program, any), reference)
  })
}

/** Lets the program mark ten thousand invoices as overdue, and resolves when none is left. */
const sweepOf = async ({ database }: School): Promise<void> => {
  database.prepare(`update invoice set status = 'issued' where number like 'DUE-%'`).run()
  const id = crypto.randomUUID()
  const now = new Date().toISOString()
  database
    .prepare(
      `insert into job (id, kind, lane, payload, run_at, max_attempts, unique_key, created_at)
       values (?, 'billing.sweep-overdue', 'billing.sweep-overdue', '{}', ?, 5, ?, ?)`,
    )
    .run(id, now, `bench ${id}`, now)
  // A cheap query, because polling must not disturb the measurement.
  const state = database.prepare('select state from job where id = ?').pluck()
  while (state.get(id) !== 'done') await pause(20)
}

const sweep: Measure = async (bench, rounds) => {
  const school = await bench.school(SMALL)
  const request = school.request('GET', '/students?limit=25')
  return inRounds(rounds, async () => {
    const alone = await measured(school.program, () => request, READ_MILLIS)
    let swept = false
    const load = drive(school.program.url, () => (swept ? undefined : request))
    await sweepOf(school)
    swept = true
    return { reference: p99(alone.latencies), ours: p99((await load).latencies) }
  })
}

const DELIVERIES = 4000

const webhooks: Measure = async (bench, rounds) => {
  const { program, request, call, branchId, database } = await bench.school(SMALL)
  const [receiver, sender] = [await bench.bare('receiver'), await bench.bare('sender')]
  const { url } = await receiver.ask<{ url: string }>({ ask: 'url' })
  const { id } = await call<{ id: string }>('POST', '/webhooks', { url, events: ['student.created'] })
  const bodies = database.prepare(
    `select body from event where type = 'student.created' order by id desc limit ${DELIVERIES}`,
  )
  const another = newStudent(request, branchId)
  const round = async (): Promise<Sample> => {
    await receiver.ask({ ask: 'hold' })
    const students = Array.from({ length: DELIVERIES }, another)
    await drive(program.url, eachOnce(students))
    const ours = await doneBy(program.pid, DELIVERIES, () => receiver.ask({ ask: 'release', expected: DELIVERIES }))
    const answered = receiver.ask({ ask: 'release', expected: DELIVERIES })
    const posted = { url, bodies: bodies.pluck().all(), atOnce: CONNECTIONS }
    const reference = await doneBy(sender.pid, DELIVERIES, () => sender.ask(posted))
    await answered
    return sampleOf(ours, reference)
  }
  await round()
  const measuredRounds = await inRounds(rounds, round)
  await call('DELETE', `/webhooks/${id}`)
  return measuredRounds
}

const claims: Measure = async (bench, rounds) => {
  const [empty, full] = [await openQueue(bench.emptyFolder(), LANES), await openQueue(bench.emptyFolder(), 100_000)]
  const claim = async (queue: typeof empty): Promise<Done> => {
    await queue.prepare()
    return doneBy(process.pid, CLAIMS, () => queue.claimRate())
  }
  const measuredRounds = await inRounds(rounds, async () => {
    const reference = await claim(empty)
    return sampleOf(await claim(full), reference)
  })
  for (const queue of [empty, full]) await queue.close()
  return measuredRounds
}

const nodeMillis = async (): Promise<number> => {
  const started = performance.now()
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit')
  return performance.now() - started
}

const start: Measure = async (bench, rounds) => {
  const executable = await bench.executable()
  const folder = bench.emptyFolder()
  // The first start makes the database and extracts the addons; everyday starts are the later ones.
  await (await Program.start(executable, folder)).stop()
  return inRounds(rounds * 3, async () => {
    const reference = await nodeMillis()
    const program = await Program.start(executable, folder)
    await program.stop()
    return { reference, ours: program.startMillis }
  })
}

/** Longer than it takes until the garbage of the start is given back, some five seconds after it (src/app/process/idle-memory.ts). */
const IDLE_MILLIS = 10_000

const memory: Measure = async (bench, rounds) => {
  const executable = await bench.executable()
  const folder = bench.emptyFolder()
  // As for the start: the first one, which makes the database, is one of a server's life.
  await (await Program.start(executable, folder)).stop()
  return inRounds(rounds, async () => {
    const program = await Program.start(executable, folder)
    await pause(IDLE_MILLIS)
    const ours = program.residentMegabytes()
    await program.stop()
    return { ours }
  })
}

const LOADED_MILLIS = 15_000
const LOADED_CREATES = 20_000
const SETTLED_MILLIS = 60_000
const LOOK_MILLIS = 100

/** The work of a day: lists, then creates. */
const loaded = async ({ program, request, branchId }: School): Promise<void> => {
  const page = request('GET', '/students?limit=25')
  await measured(program, () => page, LOADED_MILLIS)
  await drive(program.url, eachOnce(Array.from({ length: LOADED_CREATES }, newStudent(request, branchId))))
}

/** Measured once, on a program of its own: that of the other rows has more left behind. */
const memoryOf =
  (look: (school: School) => Promise<number>): Measure =>
  async (bench) => {
    const school = await openSchool(await bench.executable(), bench.emptyFolder(), SMALL)
    try {
      return { samples: [{ ours: await look(school) }] }
    } finally {
      await school.close()
    }
  }

const memoryUnderLoad = memoryOf(async (school) => {
  let most = 0
  const watch = setInterval(() => (most = Math.max(most, school.program.residentMegabytes())), LOOK_MILLIS)
  await loaded(school)
  clearInterval(watch)
  return most
})

const memoryAfterLoad = memoryOf(async (school) => {
  await loaded(school)
  await pause(SETTLED_MILLIS)
  return school.program.residentMegabytes()
})

const size: Measure = async (bench) => ({ samples: [{ ours: statSync(await bench.executable()).size / 1e6 }] })

const perSecond = { unit: '/s', better: 'higher' } as const

/** Every row of the table, in order. */
export const ROWS: readonly (Row & { measure: Measure })[] = [
  {
    ...perSecond,
    name: 'list',
    what: 'list of 25 out of 10,000 students',
    against: 'Koa over a prepared statement',
    floor: 0.45,
    goal: 0.75,
    measure: list,
  },
  {
    ...perSecond,
    name: 'growth',
    what: 'the same list out of 200,000',
    against: 'out of 10,000',
    floor: 0.85,
    goal: 0.95,
    measure: growth(),
  },
  {
    ...perSecond,
    name: 'search',
    what: 'those with a name that every seventh has, out of 200,000',
    against: 'out of 10,000',
    floor: 0.85,
    goal: 0.95,
    measure: growth('&q=haddad'),
  },
  ...narrowedLists,
  ...consoleRows,
  {
    ...perSecond,
    name: 'by-id',
    what: 'one student by id',
    against: 'a bare Koa answer',
    floor: 0.4,
    goal: 0.6,
    measure: byId,
  },
  { ...TOOL_CALL, measure: toolCalls },
  ...writeRows,
  ...moneyRows,
  ...accountRows,
  ...termRows,
  {
    name: 'sweep',
    what: 'p99 of the list while 10,000 invoices become overdue',
    against: 'alone',
    unit: 'ms',
    better: 'lower',
    floor: 3,
    goal: 1.5,
    measure: sweep,
  },
  { ...BESIDE_EXPORT, measure: async (bench, rounds) => besideExport(await bench.school(LARGE), rounds) },
  ...importRows,
  { ...LIST_FILES, measure: async (bench, rounds) => listFiles(await bench.school(LARGE), rounds) },
  { ...BESIDE_REGISTRATIONS, measure: async (bench, rounds) => besideRegistrations(await bench.school(SMALL), rounds) },
  {
    name: 'others-wait',
    what: 'worst wait of a second client beside the worst requests, 200,000 students',
    against: '',
    unit: 'ms',
    better: 'lower',
    floor: 250,
    goal: 50,
    measure: othersWait,
  },
  {
    ...perSecond,
    name: 'webhooks',
    what: 'webhook deliveries to a receiver on this machine',
    against: 'a bare client',
    floor: 0.3,
    goal: 0.6,
    measure: webhooks,
  },
  ...absenceRows,
  ...familyRows,
  ...alignmentRows,
  {
    ...perSecond,
    name: 'claims',
    what: 'jobs claimed beside 100,000 that wait and 100,000 done',
    against: 'beside one in each lane',
    // The goal is an unchanged rate; the remaining difference is one more level in every index.
    floor: 0.75,
    goal: 0.95,
    measure: claims,
  },
  ...paperRows,
  ...tenantRows,
  ...platformListRows,
  { ...THREE_PROCESSES, measure: threeProcesses },
  {
    name: 'start',
    what: 'start of the executable until it is ready',
    against: 'node -e 0',
    unit: 'ms',
    better: 'lower',
    floor: 8,
    goal: 5,
    measure: start,
  },
  {
    name: 'memory',
    what: 'memory of a program that nobody asks anything',
    against: '',
    unit: 'MB',
    better: 'lower',
    floor: 130,
    goal: 90,
    measure: memory,
  },
  {
    name: 'memory-under-load',
    what: 'most memory while 16 clients list, and add 20,000 students',
    against: '',
    unit: 'MB',
    better: 'lower',
    floor: 300,
    goal: 200,
    measure: memoryUnderLoad,
  },
  {
    name: 'memory-after-load',
    what: 'memory a minute after lists and 20,000 students added',
    against: '',
    unit: 'MB',
    better: 'lower',
    floor: 250,
    goal: 200,
    measure: memoryAfterLoad,
  },
  {
    name: 'size',
    what: 'size of the executable',
    against: '',
    unit: 'MB',
    better: 'lower',
    floor: 130,
    goal: 116,
    measure: size,
  },
]
