import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { client } from '#kit/client.ts'
import { createDatabase, startPostgres } from '#kit/postgres.ts'
import { newSetup, setupTokenIn } from '#kit/setup.ts'
import { volume } from '#kit/volume.ts'
import { act } from '../api/billing/books-acts.ts'
import { familyOf } from '../api/billing/books-family.ts'
import { checkNumbers } from '../api/billing/books-numbers.ts'
import { Play, type Calendar } from '../api/billing/books-play.ts'
import { startProgram } from './institute.ts'
import { persistentClient } from './persistent-client.ts'

/**
 * The program is killed with SIGKILL while families pay, again and again, and started again: its books agree with the
 * second ones, and no number is missing. BOOKS_SEED plays the history of that seed.
 */

const FAMILIES = 4
const STEPS = volume(12, 400)
const ENGINES = volume(false, true) ? ['sqlite', 'postgres'] : ['sqlite']
const SEED = Number(process.env.BOOKS_SEED ?? 20_261_130)
/** Between a start and the next kill: so many requests, and the time that one of them takes. */
const LIVES = { min: 3, max: 12 }
const MOMENT_MILLIS = { min: 0, max: 25 }
const LONGEST = volume(180_000, 3_600_000)

const between = ({ min, max }: { min: number; max: number }): number => Math.round(min + Math.random() * (max - min))

const DAY_MILLIS = 86_400_000
const LEEWAY_DAYS = 30
/** Of the institute's zone: its month begins two or three hours before that of UTC. */
const jerusalem = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Jerusalem' })
const dayIn = (days: number): string => jerusalem.format(Date.now() + days * DAY_MILLIS)

/** The program's clock is that of the machine: no day comes while the test runs on which a cheque is due. */
const calendar = (): Calendar => {
  const [year, month] = dayIn(0).split('-').map(Number) as [number, number]
  const monthAfter = (months: number): string =>
    new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 'YYYY-MM'.length)
  return {
    due: dayIn(LEEWAY_DAYS),
    months: [monthAfter(0), monthAfter(1), monthAfter(2)],
    dateOf: (day) => dayIn(LEEWAY_DAYS + day),
  }
}

/** A day does not come, and a setting is of the whole institute. */
const possible = act
  .filter(({ kind }) => kind !== 'day' && kind !== 'setting')
  // A cheque of today would be due at once.
  .map((one) => (one.kind === 'cheque' ? { ...one, days: one.days + 1 } : one))

test.each(ENGINES)(
  'on %s, nothing is lost or doubled when the program is killed',
  async (engine) => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'institute-books-'))
    const postgres = engine === 'postgres' ? await startPostgres() : undefined
    try {
      const url = postgres && (await createDatabase(postgres.adminUrl)).url
      const env = url === undefined ? {} : { INSTITUTE_DATABASE_URL: url }
      let program = await startProgram(dataDir, env)
      const { body } = await client(program.url as string).post('/setup/bootstrap', newSetup(setupTokenIn(dataDir)))
      let address = program.url as string
      const owner = persistentClient(() => address, body.accessToken)
      const branchId = (await owner.get('/branches')).body[0].id
      const school = { owner, branchId }
      const plays: Play[] = []
      for (let nth = 0; nth < FAMILIES; nth += 1) {
        plays.push(
          new Play(await familyOf(school, String(nth)), () => Promise.reject(new Error('No day comes.')), calendar()),
        )
      }
      const playing = Promise.all(
        plays.map(async (play, nth) => {
          for (const one of fc.sample(possible, { numRuns: STEPS, seed: SEED * FAMILIES + nth })) await play.step(one)
        }),
      )
      const over = playing.then(() => 'over' as const)
      let kills = 0
      while ((await Promise.race([over, owner.afterRequests(between(LIVES))])) !== 'over') {
        await pause(between(MOMENT_MILLIS))
        await program.stop('SIGKILL')
        kills += 1
        program = await startProgram(dataDir, env)
        address = program.url as string
      }
      const all = plays.map(({ books }) => books)
      for (const play of plays) await play.compare(all)
      await checkNumbers(school)
      console.info(`${kills} kills, ${owner.repeats()} requests sent again`)
      expect(kills).toBeGreaterThan(1)
    } finally {
      await postgres?.stop()
    }
  },
  LONGEST,
)
