/**
 * `npm run year`: years of a school of 300 students, on SQLite and on Postgres, which are compared with a second
 * computation (test/api/year/year.test.ts); by five seeds, or by those that the arguments name (`npm run year -- 7 8`).
 */
import { spawnSync } from 'node:child_process'
import path from 'node:path'

const seeds = process.argv.length > 2 ? process.argv.slice(2) : ['1', '2', '3', '4', '5']
if (seeds.some((seed) => !/^\d{1,10}$/.test(seed))) {
  console.error('npm run year -- SEEDS: whole numbers.')
  process.exit(2)
}
const { status } = spawnSync(process.execPath, ['build/test.ts', 'test/api/year/year.test.ts'], {
  cwd: path.resolve(import.meta.dirname, '../..'),
  env: { ...process.env, YEAR_SEEDS: seeds.join(','), TEST_VOLUME: 'full', TEST_NIGHTLY: '1' },
  stdio: 'inherit',
})
process.exit(status ?? 1)
