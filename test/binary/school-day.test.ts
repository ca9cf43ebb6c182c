import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { NamedKills, RandomKills } from '../school-day/killer.ts'
import { runDay } from '../school-day/run.ts'

test.each([
  ['at five points in the life of an event', () => new NamedKills()],
  ['ten times at moments of chance', () => new RandomKills(10)],
])(
  'a school day survives kill -9 %s: nothing lost, nothing twice, nothing that did not happen',
  { timeout: 400_000 },
  async (_, killer) => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'school-day-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const { findings } = await runDay(dataDir, killer(), () => {})
    expect(findings.filter(({ ok }) => !ok)).toEqual([])
    expect(findings.length).toBeGreaterThan(30)
  },
)
