/**
 * `npm run reads` prints the tables that each module reads of which other one, and in how many places. With the name of a
 * module it prints who reads that one's tables.
 */
import { globSync } from 'node:fs'
import path from 'node:path'
import { foreignReadsOf } from './lint/tables.mjs'

const root = path.resolve(import.meta.dirname, '..')
const [of] = process.argv.slice(2)

const modules = globSync('src/modules/*/index.ts', { cwd: root })
  .map((file) => path.basename(path.dirname(file)))
  .toSorted()

let pairs = 0
let total = 0
for (const module of modules) {
  const reads = foreignReadsOf(root, module)
    .map((read) => ({ ...read, owner: read.owner.replace('modules/', '') }))
    .filter(({ owner }) => of === undefined || owner === of)
  const owners = [...Map.groupBy(reads, ({ owner }) => owner)].toSorted(([one], [other]) => (one < other ? -1 : 1))
  for (const [owner, places] of owners) {
    const tables = [...Map.groupBy(places, ({ table }) => table)].map(([table, those]) => `${table} ${those.length}`)
    console.log(`${module.padEnd(20)} ${owner.padEnd(20)} ${tables.toSorted().join(', ')}`)
  }
  pairs += owners.length
  total += reads.length
}
console.log(`${total} reads in ${pairs} pairs of modules`)
