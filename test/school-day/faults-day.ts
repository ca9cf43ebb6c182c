/**
 * `npm run faults [-- NUMBER…]`: school days of an institute in a cloud of three processes, with one fault each, and
 * the table of what was lost and doubled and how long a request took at most. A request is sent again until it is
 * answered. Numbers choose faults; 0 is a day without one. Exits 1 when a check failed.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Cloud } from './cloud.ts'
import { formerExecutable } from './former.ts'
import { FAULTS, Faults, type Fault } from './faults.ts'
import { runDay, summaryOf } from './run.ts'

const NONE: Fault = { name: 'none', everySeconds: 1, strike: async () => {} }
const all = [NONE, ...FAULTS]
const chosen = process.argv.slice(2).map(Number)
const rows: string[] = []
let failed = 0
for (const [number, fault] of all.entries()) {
  if (chosen.length > 0 && !chosen.includes(number)) continue
  const folder = mkdtempSync(path.join(tmpdir(), 'institute-faults-'))
  const cloud = await Cloud.make(folder, fault.isUpgrade && formerExecutable())
  try {
    console.log(fault.name)
    const ended = await runDay(cloud, new Faults(cloud, fault), () => {})
    if (fault.isUpgrade && cloud.renewed < cloud.size) throw new Error('The day was over before the upgrade was.')
    const wrong = ended.findings.filter(({ ok }) => !ok)
    console.log(`  ${summaryOf(ended)}`)
    for (const { what, detail } of wrong) console.log(`  FAIL  ${what} (${detail})`)
    failed += wrong.length
    const wait = (ended.longestWait / 1000).toFixed(1)
    rows.push(`| ${fault.name} | ${ended.kills} | ${wrong.length === 0 ? 'nothing' : 'see above'} | ${wait} s |`)
  } finally {
    await cloud.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}
console.log(['| fault | how often | lost or doubled | longest wait |', '| - | - | - | - |', ...rows].join('\n'))
process.exit(failed > 0 ? 1 : 0)
