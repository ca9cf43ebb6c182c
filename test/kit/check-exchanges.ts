/**
 * Runs after all API tests: they must have met every success status and every failure that an endpoint declares. Prints
 * those they did not meet, and exits with 1.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { EXCHANGES_FOLDER } from './exchanges.ts'

const lines = readdirSync(EXCHANGES_FOLDER).flatMap((file) =>
  readFileSync(`${EXCHANGES_FOLDER}/${file}`, 'utf8').split('\n').filter(Boolean),
)
const of = (kind: string) =>
  new Set(lines.filter((line) => line.startsWith(`${kind} `)).map((line) => line.slice(kind.length + 1)))
const missing = [...of('declared').difference(of('met'))].toSorted()
if (missing.length > 0) {
  console.log(`Declared but never met by a test:\n${missing.map((outcome) => `  ${outcome}`).join('\n')}`)
  process.exit(1)
}
