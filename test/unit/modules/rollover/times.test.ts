import { expect, test } from 'vitest'
import { clashesOf, lastTimes, timesFrom, type Meeting } from '#modules/rollover/times.ts'

const rule = (
  weekday: number,
  startTime: string,
  endTime: string,
  validFrom = '2026-09-01',
  validTo: string | null = null,
) => ({
  weekday,
  startTime,
  endTime,
  validFrom,
  validTo,
})

test('the times of a group’s last week count, not those that it left before', () => {
  const autumn = rule(0, '16:00', '17:00', '2026-09-01', '2027-01-31')
  const spring = rule(2, '17:00', '18:00', '2027-02-01', null)
  expect(lastTimes([autumn, spring], '2027-06-30')).toEqual([spring])
  // Times that ended before the group did are still its last ones.
  expect(lastTimes([autumn], '2027-06-30')).toEqual([autumn])
  const later = rule(2, '17:00', '18:00', '2027-09-01', null)
  expect(lastTimes([autumn, later], '2027-06-30')).toEqual([autumn])
  expect(lastTimes([], '2027-06-30')).toEqual([])
})

test('they go on without an end; of two at once the later one counts', () => {
  const before = rule(1, '16:00', '17:00', '2026-09-01', '2027-06-28')
  const after = rule(1, '16:30', '17:30', '2027-06-29')
  const other = rule(0, '10:00', '11:00')
  expect(timesFrom([before, after, other], '2027-09-01')).toEqual([
    rule(0, '10:00', '11:00', '2027-09-01'),
    rule(1, '16:30', '17:30', '2027-09-01'),
  ])
})

test('a clash needs the same weekday, an hour in common, days in common, and the same teacher or room', () => {
  const meeting = (name: string, more: Partial<Meeting>): Meeting => ({
    of: { groupId: null, name },
    rule: rule(1, '16:00', '17:00', '2027-09-01', '2028-06-30'),
    teacherStaffId: 'tamar',
    room: null,
    ...more,
  })
  const found = (other: Partial<Meeting>, own: Partial<Meeting> = {}) =>
    clashesOf(meeting('own', own), [meeting('other', other)]).map(({ kind, groupName }) => `${kind} ${groupName}`)
  expect(found({})).toEqual(['teacher other'])
  expect(found({ room: 'b 1' }, { room: 'b 1' })).toEqual(['teacher other', 'room other'])
  expect(found({ teacherStaffId: 'sami' })).toEqual([])
  expect(found({ teacherStaffId: null }, { teacherStaffId: null })).toEqual([])
  expect(found({ rule: rule(2, '16:00', '17:00', '2027-09-01') })).toEqual([])
  expect(found({ rule: rule(1, '17:00', '18:00', '2027-09-01') })).toEqual([])
  expect(found({ rule: rule(1, '16:59', '18:00', '2028-06-01', null) })).toEqual(['teacher other'])
  expect(found({ rule: rule(1, '16:00', '17:00', '2028-07-01', null) })).toEqual([])
})
