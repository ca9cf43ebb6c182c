/**
 * `npm run torture`: school days through the packaged executable, which is killed with SIGKILL at the five points in
 * the life of an event, and then at random moments, some of them during its start: 100 times, or as often as the
 * argument says (`npm run torture -- 20`). Then, if strace is installed, with power cuts, a quarter as often: writes
 * that the program has not synced are lost, or arrive in part. After each day everything is checked. Last come pairs of
 * concurrent changes on Postgres, for ten minutes, bodies of hostile size, and in full what the tests do in small:
 * random requests and histories of money, large files, exports and searches, commands that are killed at any moment,
 * changed signatures. Exits 1 when anything was lost, done twice or made up (and then keeps the data directory), or when a
 * pair or a body was answered with a failure.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Disk } from './disk.ts'
import { NamedKills, RandomKills, type Killer } from './killer.ts'
import { Program } from './program.ts'
import { runDay, summaryOf } from './run.ts'

const wanted = Number(process.argv[2] ?? 100)
if (!Number.isInteger(wanted) || wanted < 1) {
  console.error('npm run torture -- KILLS: a number above 0.')
  process.exit(2)
}

const FILES = [
  ...['pairs', 'hostile-size', 'fuzz', 'query-plans'].map((name) => `api/every-endpoint/${name}`),
  ...['billing/money-by-chance', 'fees/run-races', 'identity/login', 'notifications/promises'].map(
    (name) => `api/${name}`,
  ),
  ...['http/connections', 'http/large-files', 'export/large', 'year/year'].map((name) => `api/${name}`),
  ...['data-dir', 'upgrade', 'backup'].map((name) => `cli/${name}`),
  'unit/kernel/zone',
  'unit/modules/licensing/protocol',
  'ports/files',
].map((name) => `test/${name}.test.ts`)
const chance = (): string => String(Math.floor(Math.random() * 1e9))

const makeDataDir = (): string => mkdtempSync(path.join(tmpdir(), 'institute-torture-'))

const day = async (
  killerOf: (program: Program) => Killer,
  dataDir = makeDataDir(),
  before?: () => string[],
): Promise<number> => {
  const program = new Program(dataDir, before)
  const ended = await runDay(program, killerOf(program), () => {}).catch((error: unknown) => {
    console.error(`The data directory is ${dataDir}`)
    throw error
  })
  console.log(summaryOf(ended))
  const failed = ended.findings.filter(({ ok }) => !ok)
  if (failed.length === 0) {
    rmSync(dataDir, { recursive: true, force: true })
    return ended.kills
  }
  for (const { what, detail } of failed) console.log(`  FAIL  ${what} (${detail})`)
  console.log(`The data directory is ${dataDir}`)
  return process.exit(1)
}

console.log('At the points commit, claim, send, answer and mark')
await day((program) => new NamedKills(program))
console.log(`At ${wanted} moments of chance`)
let kills = 0
while (kills < wanted) {
  const left = wanted - kills
  kills += await day((program) => new RandomKills(program, left))
}
if (Disk.isThere) {
  const cuts = Math.ceil(wanted / 4)
  console.log(`At ${cuts} power cuts`)
  const dataDir = makeDataDir()
  const disk = new Disk(dataDir)
  let cut = 0
  const killerOf = (program: Program): Killer =>
    new RandomKills(program, cuts, async () => {
      await program.kill()
      await disk.cut()
      cut += 1
    })
  // The last run needs no record.
  kills += await day(killerOf, dataDir, () => (cut < cuts ? disk.recorder() : []))
  disk.remove()
  console.log(`${disk.unsafe} writes had not been waited for.`)
} else console.log('No power cuts: there is no strace on this machine.')
console.log(`Nothing was lost, done twice or made up, ${kills + 5} times.`)
const { status } = spawnSync(process.execPath, ['build/test.ts', ...FILES], {
  cwd: path.resolve(import.meta.dirname, '../..'),
  env: {
    PAIRS_SEED: chance(),
    FUZZ_SEED: chance(),
    YEAR_SEEDS: chance(),
    PAIRS_SECONDS: '600',
    TEST_VOLUME: 'full',
    ...process.env,
  },
  stdio: 'inherit',
})
process.exit(status ?? 1)
