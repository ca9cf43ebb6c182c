import { randomBytes } from 'node:crypto'
import { API_ROOT } from '#http/server/server.ts'
import { client } from '#kit/client.ts'
import { TestRedis, whyNoRedis } from '#kit/redis.ts'
import { OWNER } from '#kit/setup.ts'
import { mailedToken } from '../school-day/mailed-token.ts'
import { CONNECTIONS, drive, during, requestBytes } from './client.ts'
import { sampleOf, together, type Done } from './done.ts'
import type { Row, Sample } from './figures.ts'
import { spending } from './processor.ts'
import { Program } from './program.ts'
import { inRounds, type Measure } from './rounds.ts'

const PROCESSES = 3
const STUDENTS = 300
/** Short, so that no program is idle for so long that it gives back its memory, and what it has compiled with it. */
const SLICE_MILLIS = 500
const SLICES = 5
/** A process of a cloud runs for weeks: what is measured is one that has compiled what is used often. */
const WARM_UP_SLICES = 20

export const THREE_PROCESSES: Row = {
  name: 'three-processes',
  what: 'list of 25 students from three processes on one Postgres, with limits in Redis where there is one',
  against: 'from one process alone, which counts for itself',
  unit: '/s',
  better: 'higher',
  floor: 0.8,
  goal: 0.95,
}

/** Somebody signs up, as the owner of a new institute with some students. @returns their access token */
const newInstitute = async ({ url, dataDir }: Program): Promise<string> => {
  const { email, password } = OWNER
  const tenant = { slug: 'bench', name: 'Bench', defaultLocale: 'en', timezone: 'Asia/Jerusalem', currency: 'ILS' }
  const outside = client(url)
  const registered = await outside.post('/auth/register', { email, password, fullName: 'Bench', tenant })
  const token = await mailedToken({ dataDirs: [dataDir] }, email, 'verify-email')
  await outside.post('/auth/verify-email', { token })
  const owner = outside.as(registered.body.accessToken)
  const [{ id: branchId }] = (await owner.get('/branches')).body
  for (let n = 0; n < STUDENTS; n += 1) {
    const { status } = await owner.post('/students', { branchId, firstName: `N${n}`, lastName: `L${n % 17}` })
    if (status !== 201) throw new Error(`a student was answered with ${status}`)
  }
  return registered.body.accessToken as string
}

/** Lists as many as the programs can, all at once, with as many connections in all whatever their number. */
const lists = async (programs: readonly Program[], request: Buffer): Promise<Done> => {
  const { result, spent } = await spending(
    programs.map(({ pid }) => pid),
    () =>
      Promise.all(
        programs.map(({ url }) =>
          drive(
            url,
            during(SLICE_MILLIS, () => request),
            Math.round(CONNECTIONS / programs.length),
          ),
        ),
      ),
  )
  return {
    rate: result.reduce((sum, { rate }) => sum + rate, 0),
    times: result.reduce((sum, { latencies }) => sum + latencies.length, 0),
    ...spent,
  }
}

/**
 * The rate of the three is that of all at once. What a request costs is measured with one program at work at a time: at
 * once, the three, Postgres, Redis and the client share the machine's two cores, and slow each other whatever they do.
 */
const oneRound = async (alone: Program, three: readonly Program[], request: Buffer): Promise<Sample> => {
  const ofOne: Done[] = []
  const inTurn: Done[] = []
  const atOnce: Done[] = []
  for (let slice = 0; slice < SLICES; slice += 1) {
    ofOne.push(await lists([alone], request))
    for (const program of three) inTurn.push(await lists([program], request))
    atOnce.push(await lists(three, request))
  }
  return sampleOf({ ...together(inTurn), rate: together(atOnce).rate }, together(ofOne))
}

export const threeProcesses: Measure = async (bench, rounds) => {
  const [executable, databaseUrl] = [await bench.executable(), await bench.postgresUrl()]
  const redis = whyNoRedis() === undefined ? await TestRedis.start() : undefined
  const running: Program[] = []
  const start = async (env: Record<string, string>): Promise<Program> => {
    const cloud = { INSTITUTE_MODE: 'cloud', INSTITUTE_REGISTRATION: 'on', INSTITUTE_MASTER_KEY: masterKey }
    const program = await Program.start(executable, bench.emptyFolder(), { databaseUrl, env: { ...cloud, ...env } })
    running.push(program)
    return program
  }
  const masterKey = randomBytes(32).toString('base64url')
  try {
    const first = await start({})
    const token = await newInstitute(first)
    await first.stop()
    const alone = await start({})
    const three: Program[] = []
    while (three.length < PROCESSES) three.push(await start(redis ? { INSTITUTE_REDIS_URL: redis.url } : {}))
    const request = requestBytes('GET', `${API_ROOT}/students?limit=25`, { token })
    for (let slice = 0; slice < WARM_UP_SLICES; slice += 1) {
      for (const program of [alone, ...three]) await lists([program], request)
    }
    return await inRounds(rounds, () => oneRound(alone, three, request))
  } finally {
    for (const program of running) await program.stop()
    await redis?.remove()
  }
}
