/**
 * `npm run scale -- FOLDER [COUNT…]`: what a cloud of many institutes costs on Postgres. FOLDER is what `npm run demo`
 * leaves: its institute is copied until there are so many (100, 300 and 1,000), each with its rows, and measured each
 * time; straight lines through the figures lead to 10,000. It takes half an hour and 30 GB. The page is scale.md.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { API_ROOT } from '#http/server/server.ts'
import { newId } from '#kernel/basics/ids.ts'
import { client } from '#kit/client.ts'
import { createDatabase, startPostgres } from '#kit/postgres.ts'
import { OWNER } from '#kit/setup.ts'
import { drive, during, requestBytes } from './client.ts'
import { Program } from './program.ts'
import { Clones } from './scale-clones.ts'

const EXECUTABLE = path.resolve(import.meta.dirname, '../../dist/institute')
const COUNTS = [100, 300, 1000]
const TARGET = 10_000
const CALLERS = 50
const LOAD_MILLIS = 8000
const JOBS = 10_000
const SWEEPS = ['billing.sweep-overdue', 'identity.sweep', 'files.sweep', 'webhooks.sweep', 'notifications.sweep']

/** Clock ticks of 10 ms that processes have used: the program, or all of Postgres. */
const millisOf = (isOne: (pid: number, name: string) => boolean): number => {
  let sum = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [, name = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
      // Of children that have ended too.
      const used = rest.split(' ').slice(11, 15)
      if (isOne(Number(pid), name)) for (const ticks of used) sum += Number(ticks) * 10
    } catch {
      // It has ended meanwhile.
    }
  }
  return sum
}

interface Figures {
  institutes: number
  rows: number
  gigabytes: number
  startMillis: number
  megabytes: number
  connections: number
  [what: string]: number
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0

/** Sends requests, and says what one takes: in all, of the program's processor time, and of that of Postgres. */
const cost = async (program: Program, what: string, make: () => Buffer): Promise<Record<string, number>> => {
  await drive(program.url, during(LOAD_MILLIS / 4, make), 8)
  const state = () => [millisOf((pid) => pid === program.pid), millisOf((_, name) => name === 'postgres')] as const
  const before = state()
  const { latencies, rate } = await drive(program.url, during(LOAD_MILLIS, make), 8)
  const after = state()
  return {
    [`${what} a second`]: rate,
    [`${what}: median ms`]: quantile(latencies, 0.5),
    [`${what}: 99 % ms`]: quantile(latencies, 0.99),
    [`${what}: ms of the program`]: (after[0] - before[0]) / latencies.length,
    [`${what}: ms of Postgres`]: (after[1] - before[1]) / latencies.length,
  }
}

const figuresAt = async (clones: Clones, program: Program): Promise<Figures> => {
  const { count } = clones
  const ask = async (statement: string): Promise<number> =>
    Number(Object.values((await clones.ask<Record<string, string>>(statement))[0] ?? {})[0])
  const tokens: string[] = []
  const branches: string[] = []
  for (let caller = 0; caller < Math.min(CALLERS, count - 1); caller += 1) {
    const k = 2 + Math.floor((caller * (count - 1)) / CALLERS)
    const [main] = OWNER.email.split('@')
    const email = `${k}-${main}@example.org`
    const api = client(program.url)
    const { status, body } = await api.post('/auth/login', { email, password: OWNER.password, client: 'mobile' })
    if (status !== 200) throw new Error(`${email} cannot sign in: ${status}`)
    tokens.push(body.accessToken as string)
    branches.push((await client(program.url, body.accessToken as string).get('/branches')).body[0].id as string)
  }
  let next = 0
  const turn = (): number => (next += 1) % tokens.length
  const list = () => requestBytes('GET', `${API_ROOT}/students?limit=25`, { token: tokens[turn()] as string })
  const write = () => {
    const at = turn()
    const body = { branchId: branches[at], firstName: 'Dana', lastName: newId().slice(-6) }
    return requestBytes('POST', `${API_ROOT}/students`, { token: tokens[at] as string, body })
  }
  const reads = await cost(program, 'lists', list)
  const logged = async () => [
    await ask(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')`),
    await ask('select count(*) from student'),
  ]
  const [walBefore = 0, studentsBefore = 0] = await logged()
  const writes = await cost(program, 'new students', write)
  const [wal = 0, students = 0] = await logged()

  const unended = `select count(*) from job where state in ('queued', 'running')`
  const untilDone = async (): Promise<void> => {
    while ((await ask(unended)) > 0) await pause(20)
  }
  await untilDone()
  const enqueue = (kind: string, lane: string, times: number) =>
    clones.ask(
      `insert into job (id, kind, lane, payload, run_at, max_attempts, created_at)
       select gen_random_uuid(), '${kind}', ${lane}, '{}', now(), 5, now() from generate_series(1, ${times}) n`,
    )
  const sweeps: Record<string, number> = {}
  for (const kind of SWEEPS) {
    const began = performance.now()
    await enqueue(kind, `'${kind}'`, 1)
    await untilDone()
    sweeps[`${kind}: s`] = (performance.now() - began) / 1000
  }
  const began = performance.now()
  const [own, theirs] = [millisOf((pid) => pid === program.pid), millisOf((_, name) => name === 'postgres')]
  await enqueue('oauth.sweep', `(select id from tenant offset n % ${count} limit 1)::text || ':sweep'`, JOBS)
  await untilDone()
  const seconds = (performance.now() - began) / 1000
  return {
    institutes: count,
    rows: await ask(`select sum(n_live_tup) from pg_stat_user_tables`),
    gigabytes: (await ask('select pg_database_size(current_database())')) / 1e9,
    startMillis: program.startMillis,
    megabytes: program.residentMegabytes(),
    connections: (await ask('select count(*) from pg_stat_activity where datname = current_database()')) - 1,
    ...reads,
    ...writes,
    'new students: kB of WAL': (wal - walBefore) / (students - studentsBefore) / 1000,
    'jobs a second': JOBS / seconds,
    'jobs: ms of the program': (millisOf((pid) => pid === program.pid) - own) / JOBS,
    'jobs: ms of Postgres': (millisOf((_, name) => name === 'postgres') - theirs) / JOBS,
    ...sweeps,
  }
}

/** The straight line through the figures, at TARGET: by least squares. */
const extended = (xs: readonly number[], ys: readonly number[]): number => {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(xs), mean(ys)]
  const slope =
    xs.reduce((sum, at, index) => sum + (at - x) * ((ys[index] as number) - y), 0) /
    xs.reduce((sum, at) => sum + (at - x) ** 2, 0)
  return y + slope * (TARGET - x)
}

const [from, ...given] = process.argv.slice(2)
if (from === undefined) {
  console.error('npm run scale -- FOLDER: the folder that npm run demo leaves.')
  process.exit(2)
}
process.env.TEST_DATABASES ??= tmpdir()
const folder = mkdtempSync(path.join(tmpdir(), 'institute-scale-'))
const postgres = await startPostgres()
try {
  const { url: databaseUrl } = await createDatabase(postgres.adminUrl)
  const dataDir = path.join(folder, 'data')
  cpSync(from, dataDir, { recursive: true })
  execFileSync(EXECUTABLE, ['database', 'move', '--data-dir', dataDir], {
    env: { INSTITUTE_DATABASE_URL: databaseUrl },
    stdio: 'inherit',
  })
  const clones = await Clones.open(databaseUrl)
  await clones.ask('delete from job')
  // Its receiver is away.
  await clones.ask('update webhook_endpoint set is_active = false')
  const found: Figures[] = []
  for (const count of given.length > 0 ? given.map(Number) : COUNTS) {
    await clones.grow(count, (line) => console.log(line))
    const env = {
      INSTITUTE_MODE: 'cloud',
      INSTITUTE_LIMIT_ANONYMOUS: '1000000',
      INSTITUTE_LIMIT_LOGIN_ADDRESS: '1000000',
    }
    const program = await Program.start(EXECUTABLE, dataDir, { databaseUrl, env })
    try {
      found.push(await figuresAt(clones, program))
      console.log(JSON.stringify(found.at(-1)))
    } finally {
      await program.stop()
    }
  }
  const largest = await clones.ask<{ table: string; rows: string; bytes: string }>(
    `select relname as table, n_live_tup as rows, pg_total_relation_size(relid) as bytes
     from pg_stat_user_tables order by 3 desc limit 12`,
  )
  await clones.close()
  console.log('| table | rows of an institute | bytes of a row with its indexes |\n|-|-|-|')
  for (const { table, rows, bytes } of largest) {
    const [each, size] = [Number(rows) / clones.count, Number(bytes) / Number(rows)]
    console.log(`| ${table} | ${each.toFixed(0)} | ${size.toFixed(0)} |`)
  }
  const counts = found.map(({ institutes }) => institutes)
  console.log(`| | ${counts.join(' | ')} | ${TARGET} |`)
  console.log(`|-|${counts.map(() => '-').join('|')}|-|`)
  for (const what of Object.keys(found[0] ?? {})) {
    const values = found.map((figures) => figures[what] as number)
    const shown = [...values, extended(counts, values)].map((value) =>
      value >= 100 ? value.toFixed(0) : value.toPrecision(3),
    )
    console.log(`| ${what} | ${shown.join(' | ')} |`)
  }
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
