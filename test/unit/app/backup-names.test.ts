import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { backupName, isNightly, tooMany, untilNow, type BackupKind } from '#app/data-dir/backup-names.ts'
import { lastNight } from '#app/backup/nightly.ts'

const instant = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString())
const kind = fc.constantFrom<BackupKind>('nightly', 'institute', 'before-upgrade')
const foreign = fc.constantFrom(
  'before-restore-2026-01-01T00-00-00-000Z',
  'school.tar.gz',
  'nightly.tar.gz',
  'nightly-of-march.tar.gz',
  'nightly-2026-01-01T00-00-00-000Z.tar.gz.keep',
  'my-nightly-2026-01-01T00-00-00-000Z.tar.gz',
  '.nightly.json',
  '.making-1',
)
const name = fc.oneof(
  fc.tuple(kind, instant).map(([each, at]) => backupName(each, at)),
  foreign,
)

test('of any folder, only nightly backups go, and the newest of them stay, with the one that was just made', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(name, { maxLength: 40 }),
      instant,
      fc.integer({ min: 1, max: 20 }),
      (names, at, keep) => {
        const newest = backupName('nightly', at)
        const all = [...new Set([...names, newest])]
        const gone = tooMany(all, keep, newest)
        const left = all.filter((each) => !gone.includes(each))
        expect(gone.every(isNightly)).toBe(true)
        expect(left).toContain(newest)
        expect(left.filter(isNightly)).toHaveLength(Math.min(keep, all.filter(isNightly).length))
        // None that stays, but the one that was just made, is older than one that goes.
        const kept = left.filter((each) => isNightly(each) && each !== newest)
        expect(gone.every((old) => kept.every((young) => old < young))).toBe(true)
        // Done again at once it finds nothing more to do.
        expect(tooMany(left, keep, newest)).toEqual([])
      },
    ),
  )
})

test('what a clock that ran ahead has dated is not the newest', () => {
  const [ahead, newest, old] = ['2099-01-01T00:00:00.000Z', '2026-03-02T08:04:00.000Z', '2026-03-01T00:30:00.000Z'].map(
    (createdAt) => ({ name: backupName('nightly', createdAt), createdAt }),
  )
  expect(
    untilNow(
      [ahead, newest, old].filter((each) => each !== undefined),
      '2026-03-02T08:00:00.000Z',
    ),
  ).toEqual([newest, old])
})

describe('the last night', () => {
  test.each([
    ['before it begins', '2026-03-02T00:29:59.999Z', '2026-03-01T00:30:00.000Z'],
    ['at its moment', '2026-03-02T00:30:00.000Z', '2026-03-02T00:30:00.000Z'],
    ['in the evening', '2026-03-02T21:59:00.000Z', '2026-03-02T00:30:00.000Z'],
    ['after midnight there, while it is the day before in UTC', '2026-03-01T22:30:00.000Z', '2026-03-01T00:30:00.000Z'],
    ['where the clocks skip half past two', '2026-03-27T08:00:00.000Z', '2026-03-27T00:30:00.000Z'],
    ['where they show it in summer time', '2026-06-01T08:00:00.000Z', '2026-05-31T23:30:00.000Z'],
  ])('%s', (_, now, night) => {
    expect(lastNight(now, 'Asia/Jerusalem')).toBe(night)
  })
})
