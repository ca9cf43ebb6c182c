/**
 * `npm run bench`: compares the speed of the packaged program with the bare cost of its parts. Both run in processes of
 * their own and in turn, so that each figure is a ratio from the same machine at the same time. `-- --rows list,create`
 * measures only some rows, `--rounds N` sets the number of rounds (5), `--imported N` how many students an import brings
 * (3,000). Exits 1 when a row misses its floor.
 */
import { parseArgs } from 'node:util'
import { tableOf, type Measured, type Row } from './figures.ts'
import { ROWS } from './rows.ts'
import { IMPORTED, Workbench } from './workbench.ts'

const wrong = (why: string): never => {
  console.error(why)
  process.exit(2)
}

const { values } = parseArgs({
  options: {
    rows: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    imported: { type: 'string', default: String(IMPORTED) },
  },
})
const names = values.rows?.split(',') ?? ROWS.map(({ name }) => name)
const unknown = names.find((name) => !ROWS.some((row) => row.name === name))
if (unknown !== undefined) wrong(`There is no row ${unknown}: ${ROWS.map(({ name }) => name).join(', ')}.`)
const [rounds, imported] = [Number(values.rounds), Number(values.imported)]
for (const [name, number] of Object.entries({ rounds, imported })) {
  if (!Number.isInteger(number) || number < 1) wrong(`--${name} must be a whole number from 1.`)
}

const bench = new Workbench((line) => console.log(`… ${line}`), { imported })
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
