import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDay, type Ended } from '../school-day/run.ts'

let dataDir: string
let ended: Ended

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'school-day-'))
  ended = await runDay(dataDir, () => {})
}, 240_000)
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

test('a school day survives kill -9: nothing lost, nothing twice, nothing that did not happen', () => {
  expect(ended.findings.filter(({ ok }) => !ok)).toEqual([])
  expect(ended.findings.length).toBeGreaterThan(12)
})
