import { expect, test } from 'vitest'
import { reportOf } from '#app/updates/report.ts'
import type { UpdateReason } from '#app/updates/refused.ts'

const settings = { mode: 'install', hour: 3, channel: 'stable' } as const
const check = { at: '2026-03-01T03:00:00.000Z', result: 'ok', reason: null, detail: '', version: '0.2.0' } as const
const failed = (reason: UpdateReason, detail: string) =>
  ({ at: '2026-03-02T03:00:00.000Z', result: 'failed', reason, detail, version: '0.2.0' }) as const

test('of a full disk the vendor hears which one, and what it lacks', () => {
  const detail = 'the disk of /opt/institute needs 744 MB, and has 120 MB'
  expect(reportOf({ settings, check, install: failed('disk_full', detail) })).toEqual({
    channel: 'stable',
    lastCheckAt: check.at,
    lastResult: 'failed',
    lastReason: `disk_full: ${detail}`,
    targetVersion: '0.2.0',
  })
})

test('of everything else the code alone, and never more than the protocol takes', () => {
  const went = failed('went_back', 'what a program printed, with names of folders')
  expect(reportOf({ settings, check, install: went }).lastReason).toBe('went_back')
  expect(reportOf({ settings, check, install: failed('disk_full', 'x'.repeat(5000)) }).lastReason).toHaveLength(1000)
  expect(reportOf({ settings: { ...settings, mode: 'off' }, check, install: went })).toMatchObject({
    lastResult: 'skipped',
    lastReason: 'switched_off',
  })
})
