import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { API_ROOT } from '#http/server/server.ts'
import { SecondClient, type Waits } from '#kit/second-client.ts'
import { median, type Measured, type Row, type Sample } from './figures.ts'
import { spending } from './processor.ts'
import type { School } from './school.ts'

/** A flood of public registrations: a day's limit of one publishable key, at this interval. */
const FLOOD = 300
const EVERY_MILLIS = 10

export const BESIDE_REGISTRATIONS: Row = {
  name: 'registrations',
  what: 'p99 of the list beside 100 public registrations a second',
  against: 'alone',
  unit: 'ms',
  better: 'lower',
  floor: 4,
  goal: 1.5,
}

const ORIGIN = 'https://www.example.org'

let sent = 0

/** @returns the status of the reply */
const register = (url: string, { key, from }: { key: string; from: string }): Promise<number> => {
  sent += 1
  const phone = `+97250${String(1_000_000 + sent)}`
  const body = {
    firstName: 'Yara',
    lastName: `Nasser ${sent}`,
    guardian: { firstName: 'Hala', lastName: 'Nasser', phone },
  }
  return new Promise((resolve, reject) => {
    const sending = request(`${url}${API_ROOT}/public/registrations`, {
      method: 'POST',
      localAddress: from,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
        origin: ORIGIN,
      },
    })
    sending.on('response', (response) => response.resume().once('end', () => resolve(response.statusCode ?? 0)))
    sending.on('error', reject)
    sending.end(JSON.stringify(body))
  })
}

const newKey = async ({ call }: School): Promise<string> => {
  const key = { name: 'Website', kind: 'publishable', allowedOrigins: [ORIGIN] }
  return (await call<{ key: string }>('POST', '/api-keys', key)).key
}

/** @returns how often each status came */
const flood = async (school: School, addressOf: (n: number) => string): Promise<Map<number, number>> => {
  const key = await newKey(school)
  const statuses: Promise<number>[] = []
  for (let n = 0; n < FLOOD; n += 1) {
    statuses.push(register(school.program.url, { key, from: addressOf(n) }))
    await pause(EVERY_MILLIS)
  }
  return new Map([...Map.groupBy(await Promise.all(statuses), (status) => status)].map(([of, all]) => [of, all.length]))
}

const FLOODS: Record<string, (n: number) => string> = {
  'from one address': () => '127.0.0.2',
  'from as many addresses': (n) => `127.1.${Math.floor(n / 250)}.${(n % 250) + 1}`,
}

interface FloodResult {
  waits: Waits[]
  /** Processor time of the program per registration that was sent, including what the office requests meanwhile. */
  millis: number[]
  statuses: Map<number, number>
}

/**
 * p99 latency of the office's list during each flood, compared with no flood. A sample is the worse of the two floods.
 * @throws for any status but 201 and 429
 */
export const besideRegistrations = async (school: School, rounds: number): Promise<Measured> => {
  const office = new SecondClient(school.program.url, school.token, [`${API_ROOT}/students?limit=25`])
  const byFlood = new Map(
    Object.keys(FLOODS).map((name): [string, FloodResult] => [name, { waits: [], millis: [], statuses: new Map() }]),
  )
  const samples: Sample[] = []
  try {
    for (let round = 0; round < rounds; round += 1) {
      const alone = await office.beside(() => pause(FLOOD * EVERY_MILLIS))
      for (const [name, { waits, millis, statuses }] of byFlood) {
        let answered = new Map<number, number>()
        const { result, spent } = await spending(school.program.pid, () =>
          office.beside(async () => {
            answered = await flood(school, FLOODS[name] as (n: number) => string)
          }),
        )
        waits.push(result)
        millis.push(spent.millis / FLOOD)
        for (const [status, count] of answered) {
          if (status !== 201 && status !== 429) throw new Error(`a registration was answered with ${status}`)
          statuses.set(status, (statuses.get(status) ?? 0) + count)
        }
      }
      samples.push({
        ours: Math.max(...[...byFlood.values()].map(({ waits }) => waits.at(-1)?.p99 ?? 0)),
        reference: alone.p99,
      })
    }
  } finally {
    office.stop()
  }
  return {
    samples,
    below: [...byFlood].map(([name, { waits, millis, statuses }]) => {
      const counts = [...statuses].toSorted().map(([status, count]) => `${count} × ${status}`)
      const p99 = median(waits.map((one) => one.p99)).toFixed(1)
      return `${name.padEnd(24)}  p99 ${p99} ms, processor ${median(millis).toFixed(1)} ms each; ${counts.join(', ')}`
    }),
  }
}
