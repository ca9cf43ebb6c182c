import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { EVENT_CATALOGUE } from '#kernel/events.ts'
import { Caller } from './caller.ts'
import { checkDay, type Finding } from './checks.ts'
import { schoolDay, STUDENTS } from './day.ts'
import { Program } from './program.ts'
import { Receiver } from './receiver.ts'

export const OWNER = { email: 'owner@example.org', password: 'olive tree by the gate' }

/** Where in the day the process is killed: the phase and how much of it is done. */
const KILLS = [
  { phase: 'students', at: 100 },
  { phase: 'attendance', at: 10 },
  { phase: 'invoices', at: 150 },
  { phase: 'payments', at: 90 },
]

const DELIVERY_MILLIS = 90_000
const RECEIVER_FAILS_FIRST = 60

const KEY_PERMISSIONS = [
  'students.write',
  'guardians.write',
  'staff.write',
  'courses.write',
  'groups.write',
  'enrollments.write',
  'attendance.mark',
  'invoices.write',
  'payments.record',
]

export interface Ended {
  findings: Finding[]
  kills: number
  requests: number
  retries: number
  seconds: number
}

/**
 * A school day of an institute in Jerusalem with two branches, through the packaged executable, which is killed again
 * and again on the way and started anew; then everything is checked. Leaves the data directory as it is.
 */
export const runDay = async (dataDir: string, say: (line: string) => void): Promise<Ended> => {
  const started = performance.now()
  const program = new Program(dataDir)
  const receiver = new Receiver(RECEIVER_FAILS_FIRST)
  try {
    await program.start()
    const setupToken = readFileSync(path.join(dataDir, 'setup-token'), 'utf8').trim()
    const signedIn = await new Caller(program).send('POST', '/setup/bootstrap', {
      setupToken,
      institute: {
        slug: 'al-noor',
        name: 'معهد النور',
        defaultLocale: 'ar',
        timezone: 'Asia/Jerusalem',
        currency: 'ILS',
        baseUrl: program.url,
      },
      owner: { ...OWNER, firstName: 'Noor', lastName: 'Haddad' },
    })
    const owner = new Caller(program, signedIn.accessToken)
    const [main] = await owner.get('/branches')
    const second = await owner.send('POST', '/branches', { name: 'סניף צפון' })
    const key = await owner.send('POST', '/api-keys', {
      name: 'School day',
      permissions: KEY_PERMISSIONS,
      rateLimitPerMin: 6000,
    })
    const webhook = await owner.send('POST', '/webhooks', {
      url: await receiver.listen(),
      events: EVENT_CATALOGUE.map(({ type }) => type),
    })
    receiver.secret = webhook.secret
    say(`An institute with two branches is set up at ${program.url}`)

    const caller = new Caller(program, key.key)
    let kills = 0
    let restarting: Promise<void> | undefined
    const day = await schoolDay(caller, [main.id, second.id], async (phase, done, total) => {
      const kill = KILLS.find((one) => one.phase === phase && one.at === done)
      if (kill) {
        kills += 1
        say(`  ${phase}: ${done} of ${total} — SIGKILL, and start again`)
        restarting = program.kill().then(() => program.start())
      }
      await restarting
      if (done === total) say(`  ${phase}: ${total}`)
    })
    say('Waiting until every event is delivered')
    const waiting = async () =>
      (await owner.get(`/webhooks/${webhook.id}/deliveries?status=queued&limit=1`)).data.length > 0
    const end = performance.now() + DELIVERY_MILLIS
    while ((await waiting()) && performance.now() < end) await pause(250)
    const findings = await checkDay(caller, receiver, day)
    findings.push({ what: 'the process was killed on the way', ok: kills === KILLS.length, detail: `${kills} times` })
    return {
      findings,
      kills,
      requests: caller.requests,
      retries: caller.retries,
      seconds: Math.round((performance.now() - started) / 1000),
    }
  } finally {
    await program.stop()
    receiver.close()
  }
}

export const summaryOf = ({ requests, retries, kills, seconds }: Ended): string =>
  `${STUDENTS} students, ${requests} requests (${retries} sent again), ${kills} kills, ${seconds} s`
