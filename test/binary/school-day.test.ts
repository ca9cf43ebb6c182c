import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isNightly } from '#kit/volume.ts'
import { KillsInTurn, NamedKills, POINTS, RandomKills } from '../school-day/killer.ts'
import { Program } from '../school-day/program.ts'
import { runDay } from '../school-day/run.ts'

test(
  'a school day survives kill -9 at five points in the life of an event, and then at moments of chance: nothing lost, nothing twice, nothing that did not happen',
  { timeout: 400_000 },
  async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'school-day-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const program = new Program(dataDir)
    const killer = new KillsInTurn(new NamedKills(program), new RandomKills(program, isNightly ? 5 : 1))
    const { findings, kills } = await runDay(program, killer, () => {})
    expect(findings.filter(({ ok }) => !ok)).toEqual([])
    expect(findings.length).toBeGreaterThan(30)
    expect(kills).toBeGreaterThan(POINTS.length)
  },
)
