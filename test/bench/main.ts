/**
 * `npm run bench`: how fast the packaged program is beside what its parts cost bare, each in a process of its own and
 * in turn, so that the figures are ratios of one moment on one machine. `-- --rows list,create` measures some of the
 * rows, `--rounds N` so many rounds of each (5). Exits 1 when a row misses its floor.
 */
import { parseArgs } from 'node:util'
import { tableOf, type Measured, type Row } from './figures.ts'
import { ROWS } from './rows.ts'
import { Workbench } from './workbench.ts'

const wrong = (why: string): never => {
  console.error(why)
  process.exit(2)
}

const { values } = parseArgs({ options: { rows: { type: 'string' }, rounds: { type: 'string', default: '5' } } })
const names = values.rows?.split(',') ?? ROWS.map(({ name }) => name)
const unknown = names.find((name) => !ROWS.some((row) => row.name === name))
if (unknown !== undefined) wrong(`There is no row ${unknown}: ${ROWS.map(({ name }) => name).join(', ')}.`)
const rounds = Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1) wrong('--rounds must be a whole number from 1.')

const bench = new Workbench((line) => console.log(`… ${line}`))
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void bench.close().finally(() => process.exit(130)))
}
const measured = new Map<Row, Measured>()
try {
  for (const row of ROWS.filter(({ name }) => names.includes(name))) {
    console.log(`${row.name}: ${row.what}`)
    measured.set(row, await row.measure(bench, rounds))
  }
} finally {
  await bench.close()
}
const { text, passed } = tableOf(measured)
console.log(`\n${text}\n${passed ? '' : '\nA row misses its floor.'}`)
process.exit(passed ? 0 : 1)
