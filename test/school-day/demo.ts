/**
 * `npm run demo`: a school day that grows into a term, through the packaged executable, with its progress on the
 * terminal. Leaves ./demo-data (or the folder given as argument), which you can open and sign in to.
 */
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { OWNER } from '#kit/setup.ts'
import { NamedKills } from './killer.ts'
import { Program } from './program.ts'
import { runDay, summaryOf } from './run.ts'

const folder = path.resolve(process.argv[2] ?? 'demo-data')
if (existsSync(folder) && readdirSync(folder).length > 0) {
  console.error(`${folder} is not empty: name another folder (npm run demo -- FOLDER) or remove it first.`)
  process.exit(2)
}
mkdirSync(folder, { recursive: true, mode: 0o700 })

const program = new Program(folder)
const ended = await runDay(program, new NamedKills(program), (line) => console.log(line))
console.log('\nChecks')
for (const { what, ok, detail } of ended.findings) console.log(`  ${ok ? 'ok  ' : 'FAIL'}  ${what} (${detail})`)
console.log(`\n${summaryOf(ended)}`)
const failed = ended.findings.some(({ ok }) => !ok)
if (!failed) {
  console.log(`
The institute is in ${folder}. Open it:
  dist/institute serve --data-dir ${folder}
and sign in with
  curl -s http://localhost:8080/api/v1/auth/login -H 'content-type: application/json' \\
    -d '{"email":"${OWNER.email}","password":"${OWNER.password}","client":"mobile"}'`)
}
process.exit(failed ? 1 : 0)
