import { setTimeout as pause } from 'node:timers/promises'
import type { Engine } from '#db/database.ts'
import { API_ROOT } from '#http/server/server.ts'
import { client, type Client, type Reply } from '#kit/client.ts'
import { SecondClient, type Waits } from '#kit/second-client.ts'
import { create, newGroup } from '../api/examples/sessions.ts'
import { median, type Measured, type Row, type Sample } from './figures.ts'
import { Program } from './program.ts'
import { setUp } from './school.ts'

/**
 * A year of lessons is brought in line while the desk works: groups end earlier and later, the institute is closed for
 * all of it and opened again, and its zone is set right. Somebody else reads, and somebody changes a record, all the time.
 */
const GROUPS = 12
/** Two lessons a day in each group: 5,040 in all. */
const DAYS = 210
const LESSONS = GROUPS * DAYS * 2
const LAST_DAYS = 14
const POLL_MILLIS = 100
/** As long as the shortest of what is done: the worst of more requests is worse. */
const IDLE_MILLIS = 8000

const ahead = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const twiceADay = [0, 1, 2, 3, 4, 5, 6].flatMap((weekday) =>
  ['09:00', '15:00'].map((startTime) => ({
    weekday,
    startTime,
    endTime: `${Number(startTime.slice(0, 2)) + 1}:00`,
    validFrom: '2020-01-01',
    validTo: null,
  })),
)

const good = async (asked: Promise<Reply>) => {
  const { status, body } = await asked
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

interface Waited {
  reads: Waits
  changes: Waits
}

const NOTHING = '(nothing)'

/** A running program with its year of lessons. */
export class Timetable {
  readonly #program: Program
  readonly #owner: Client
  readonly #groupIds: readonly string[]
  readonly #studentId: string

  private constructor(program: Program, parts: { owner: Client; groupIds: readonly string[]; studentId: string }) {
    this.#program = program
    this.#owner = parts.owner
    this.#groupIds = parts.groupIds
    this.#studentId = parts.studentId
  }

  static async open(executable: string, folder: string, databaseUrl: string | undefined): Promise<Timetable> {
    const program = await Program.start(executable, folder, { databaseUrl })
    const owner = client(program.url).as(await setUp(program))
    const [branch] = (await owner.get('/branches')).body
    const place = { owner, branchId: branch.id as string }
    const groupIds: string[] = []
    for (let nth = 0; nth < GROUPS; nth += 1) {
      const groupId = await newGroup(place, { startsOn: ahead(1), endsOn: ahead(DAYS) })
      await good(owner.put(`/groups/${groupId}/schedules`, { schedules: twiceADay }))
      await good(owner.post(`/groups/${groupId}/sessions/generate`, { until: ahead(DAYS) }))
      groupIds.push(groupId)
    }
    const person = { branchId: place.branchId, firstName: 'Hala', lastName: 'Haddad' }
    return new Timetable(program, { owner, groupIds, studentId: await create(place, '/students', person) })
  }

  /** Each group ends in a week, and at its former end after all. */
  async #endEarlier(): Promise<void> {
    for (const id of this.#groupIds) {
      for (const endsOn of [ahead(7), ahead(DAYS)]) await good(this.#owner.patch(`/groups/${id}`, { endsOn }))
    }
    await this.#untilAllTakePlace()
  }

  async #close(): Promise<void> {
    const days = { from: ahead(1), to: ahead(DAYS) }
    const { id } = await good(this.#owner.post('/closures', { name: 'Closed', ...days }))
    while ((await good(this.#owner.get(`/closures/${id}`))).cancelledSessions < LESSONS) await pause(POLL_MILLIS)
    await good(this.#owner.delete(`/closures/${id}`))
    await this.#untilAllTakePlace()
  }

  /** Of a group the last lessons are made before some of those of the days before. */
  async #untilAllTakePlace(): Promise<void> {
    for (let day = DAYS - LAST_DAYS; day <= DAYS; day += 1) {
      const query = `from=${ahead(day)}&to=${ahead(day)}&status=scheduled`
      while ((await good(this.#owner.get(`/sessions?${query}`))).data.length < GROUPS * 2) await pause(POLL_MILLIS)
    }
  }

  async #setZone(): Promise<void> {
    for (const [timezone, hour] of [
      ['UTC', 'T09:00'],
      ['Asia/Jerusalem', ''],
    ] as const) {
      await good(this.#owner.patch('/settings', { timezone }))
      if (hour !== '') await this.#untilAllBegin(hour)
    }
  }

  async #untilAllBegin(hour: string): Promise<void> {
    const query = `from=${ahead(DAYS)}&to=${ahead(DAYS)}`
    for (;;) {
      const { data } = await good(this.#owner.get(`/sessions?${query}`))
      if (data.filter((one: { scheduledStart: string }) => one.scheduledStart.includes(hour)).length >= GROUPS) return
      await pause(POLL_MILLIS)
    }
  }

  /** @returns of each kind of change, how long others waited for their reads and their changes; and with nothing beside */
  async waits(): Promise<Map<string, Waited>> {
    const student = `${API_ROOT}/students/${this.#studentId}`
    const others = (...requests: string[]) =>
      new SecondClient(this.#program.url, this.#owner.credential as string, requests)
    // Each is a process: what is done here would be measured too.
    const reader = others(`${API_ROOT}/health/live`, student)
    const desk = others(`PATCH ${student}`)
    const beside = async (work: () => Promise<void>): Promise<Waited> => {
      await Promise.all([reader.waits(), desk.waits()])
      await work()
      const [reads, changes] = await Promise.all([reader.waits(), desk.waits()])
      const [refused] = [...reads.refused, ...changes.refused]
      if (refused !== undefined) throw new Error(`another client got ${refused}`)
      return { reads, changes }
    }
    try {
      return new Map([
        [NOTHING, await beside(() => pause(IDLE_MILLIS))],
        ['groups end earlier and later', await beside(() => this.#endEarlier())],
        ['the institute is closed and open again', await beside(() => this.#close())],
        ['its zone is set right', await beside(() => this.#setZone())],
      ])
    } finally {
      reader.stop()
      desk.stop()
    }
  }

  close(): Promise<void> {
    return this.#program.stop()
  }
}

const rowOn = (engine: Engine): Row => ({
  name: `alignment-${engine}`,
  what: `worst wait of others while a year of 5,040 lessons is brought in line (${engine})`,
  against: '',
  unit: 'ms',
  better: 'lower',
  floor: 50,
  goal: 25,
})

const measureOn =
  (engine: Engine) =>
  async (bench: { timetable(engine: Engine): Promise<Timetable> }, rounds: number): Promise<Measured> => {
    const timetable = await bench.timetable(engine)
    const told: Map<string, Waited>[] = []
    for (let round = 0; round < rounds; round += 1) told.push(await timetable.waits())
    const samples = told.map((waits): Sample => {
      const beside = [...waits].filter(([name]) => name !== NOTHING).map(([, waited]) => waited)
      return { ours: Math.max(...beside.flatMap(({ reads, changes }) => [reads.worst, changes.worst])) }
    })
    const figure = (name: string, of: keyof Waited, which: 'p50' | 'p95' | 'p99' | 'worst'): string =>
      median(told.map((waits) => waits.get(name)?.[of][which] ?? Number.NaN))
        .toFixed(0)
        .padStart(3)
    const line = (name: string, of: keyof Waited): string =>
      `${of} p50 ${figure(name, of, 'p50')}, p95 ${figure(name, of, 'p95')}, p99 ${figure(name, of, 'p99')}, worst ${figure(name, of, 'worst')} ms`
    return {
      samples,
      below: [...(told[0] as Map<string, Waited>).keys()].map(
        (name) => `${name.padEnd(40)}  ${line(name, 'reads')};  ${line(name, 'changes')}`,
      ),
    }
  }

export const alignmentRows: readonly (Row & { measure: ReturnType<typeof measureOn> })[] = (
  ['sqlite', 'postgres'] as const
).map((engine) => ({ ...rowOn(engine), measure: measureOn(engine) }))
