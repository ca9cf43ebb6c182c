import { setTimeout as pause } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import type { Engine } from '#db/database.ts'
import { client, type Client } from '#kit/client.ts'
import { startSmtpSink, type SmtpSink } from '#kit/smtp-sink.ts'
import { create, newGroup, newPupil } from '../api/examples/sessions.ts'
import { median, type Measured, type Row, type Sample } from './figures.ts'
import { Program } from './program.ts'
import { setUp } from './school.ts'

/**
 * The morning of a large school: fifty teachers mark their class of twenty within twenty seconds, everybody is absent,
 * and each student has one guardian, with an address of their own. Real mornings are slower and kinder.
 */
const CLASSES = 50
const CLASS_SIZE = 20
const EVERY_MILLIS = 400
const PREPARING_AT_ONCE = 8
const LONGEST_WAIT_MILLIS = 60_000
/** Sessions begin so late that students who were enrolled just now are on their rosters. */
const SESSION_MILLIS = 3_600_000

interface Class {
  groupId: string
  students: readonly { id: string; guardian: string }[]
}

const share = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * part) - 1] ?? Number.NaN

const written = (waits: readonly number[]): string =>
  [0.5, 0.95, 1]
    .map((part) => `${part === 1 ? 'worst' : `p${part * 100}`} ${share(waits, part).toFixed(0)} ms`)
    .join(', ')

/** Does this for all of them, so many at a time. */
const forAll = async <T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = []
  const left = [...all.entries()]
  await Promise.all(
    Array.from({ length: PREPARING_AT_ONCE }, async () => {
      for (let next = left.shift(); next; next = left.shift()) results[next[0]] = await work(next[1])
    }),
  )
  return results
}

/** A running program with its classes, and the mail server that it sends over. */
export class Morning {
  readonly #program: Program
  readonly #sink: SmtpSink
  readonly #accepted: Map<string, number>
  readonly #owner: Client
  readonly #classes: readonly Class[]

  private constructor(parts: {
    program: Program
    sink: SmtpSink
    accepted: Map<string, number>
    owner: Client
    classes: readonly Class[]
  }) {
    this.#program = parts.program
    this.#sink = parts.sink
    this.#accepted = parts.accepted
    this.#owner = parts.owner
    this.#classes = parts.classes
  }

  static async open(executable: string, folder: string, databaseUrl: string | undefined): Promise<Morning> {
    const accepted = new Map<string, number>()
    const sink = await startSmtpSink({ onAccepted: (to) => accepted.set(to, performance.now()) })
    const env = { INSTITUTE_SMTP_URL: sink.url, INSTITUTE_MAIL_FROM: 'office@example.org' }
    const program = await Program.start(executable, folder, { databaseUrl, env })
    const owner = client(program.url).as(await setUp(program))
    const [branch] = (await owner.get('/branches')).body
    const place = { owner, branchId: branch.id as string }
    const groupIds: string[] = []
    for (let n = 0; n < CLASSES; n += 1) groupIds.push(await newGroup(place))
    const classes = groupIds.map((groupId) => ({ groupId, students: [] as { id: string; guardian: string }[] }))
    const seats = classes.flatMap((one) => Array.from({ length: CLASS_SIZE }, () => one))
    await forAll([...seats.entries()], async ([seat, { groupId, students }]) => {
      const guardian = `guardian-${seat}@example.org`
      const named = {
        firstName: 'Hala',
        lastName: `Haddad ${seat}`,
        phone: `+97250${1_000_000 + seat}`,
        email: guardian,
      }
      const [id, guardianId] = [await newPupil(place, groupId), await create(place, '/guardians', named)]
      const link = { guardianId, relationship: 'mother', isPrimary: true, isPayer: true }
      const { status } = await owner.post(`/students/${id}/guardians`, link)
      if (status !== 201) throw new Error(`a guardian was linked with ${status}`)
      students.push({ id, guardian })
    })
    return new Morning({ program, sink, accepted, owner, classes })
  }

  /** @returns of each mail, how long after the reply to its mark the mail server had accepted it, in milliseconds */
  async waits(): Promise<number[]> {
    const start = new Date(Date.now() + SESSION_MILLIS)
    const times = {
      scheduledStart: start.toISOString(),
      scheduledEnd: new Date(start.getTime() + SESSION_MILLIS).toISOString(),
    }
    const sessions = await forAll(this.#classes, async ({ groupId, students }) => ({
      students,
      id: await create({ owner: this.#owner }, `/groups/${groupId}/sessions`, times),
    }))
    this.#accepted.clear()
    const marked = new Map<string, number>()
    const began = performance.now()
    await Promise.all(
      sessions.map(async ({ id, students }, index) => {
        await pause(index * EVERY_MILLIS)
        const entries = students.map((student) => ({ studentId: student.id, status: 'absent' }))
        const { status } = await this.#owner.put(`/sessions/${id}/attendance`, { entries })
        if (status !== 200) throw new Error(`a class was marked with ${status}`)
        const replied = performance.now()
        for (const { guardian } of students) marked.set(guardian, replied)
      }),
    )
    const end = began + CLASSES * EVERY_MILLIS + LONGEST_WAIT_MILLIS
    while ([...marked.keys()].some((guardian) => !this.#accepted.has(guardian))) {
      if (performance.now() > end) throw new Error(`${this.#accepted.size} of ${marked.size} mails came`)
      await pause(50)
    }
    return [...marked].map(([guardian, replied]) => Math.max(0, (this.#accepted.get(guardian) as number) - replied))
  }

  /** The same mails at the same pace, sent from this process without anything before them. */
  async bareWaits(): Promise<number[]> {
    const waits: number[] = []
    const { hostname: host, port } = new URL(this.#sink.url)
    const send = async (to: string): Promise<void> => {
      const started = performance.now()
      const transport = createTransport({ host, port: Number(port) })
      await transport.sendMail({ from: 'office@example.org', to, subject: 'Absent', text: 'Noor was absent.' })
      waits.push(performance.now() - started)
    }
    for (const { students } of this.#classes) {
      await Promise.all([pause(EVERY_MILLIS), ...students.map(({ guardian }) => send(guardian))])
    }
    return waits
  }

  async close(): Promise<void> {
    await this.#program.stop()
    await this.#sink.stop()
  }
}

/** No ratio: two seconds are what a guardian may wait, on whatever machine. */
const rowOn = (engine: Engine): Row => ({
  name: `absence-to-mail-${engine}`,
  what: `p95 from an absence’s mark to its mail accepted, 1,000 in 20 s (${engine})`,
  against: '',
  unit: 'ms',
  better: 'lower',
  floor: 2000,
  goal: 500,
})

const measureOn =
  (engine: Engine) =>
  async (
    bench: { morning(engine: Engine): Promise<Morning>; say(line: string): void },
    rounds: number,
  ): Promise<Measured> => {
    const morning = await bench.morning(engine)
    const samples: Sample[] = []
    const below: string[] = []
    const bare = await morning.bareWaits()
    for (let round = 1; round <= rounds; round += 1) {
      const waits = await morning.waits()
      samples.push({ ours: share(waits, 0.95) })
      below.push(`round ${round}: ${waits.length} mails, ${written(waits)}`)
    }
    below.push(`as many mails from a bare client, each over its own connection: ${written(bare)}`)
    bench.say(`${engine}: p95 ${median(samples.map(({ ours }) => ours)).toFixed(0)} ms`)
    return { samples, below }
  }

export const absenceRows: readonly (Row & { measure: ReturnType<typeof measureOn> })[] = (
  ['sqlite', 'postgres'] as const
).map((engine) => ({ ...rowOn(engine), measure: measureOn(engine) }))
