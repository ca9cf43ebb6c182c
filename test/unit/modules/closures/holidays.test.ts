import { expect, test } from 'vitest'
import { holidaysOf } from '#modules/closures/holidays.ts'

const daysOf = (key: string, year: number, zone = 'Asia/Jerusalem'): string[] =>
  holidaysOf(year, zone)
    .filter((holiday) => holiday.key === key)
    .map(({ from, to }) => (from === to ? from : `${from}/${to}`))

/** As calendars print them. */
test.each([
  ['rosh_hashanah', 2026, ['2026-09-12/2026-09-13']],
  ['rosh_hashanah', 2027, ['2027-10-02/2027-10-03']],
  ['yom_kippur', 2026, ['2026-09-20/2026-09-21']],
  ['sukkot', 2026, ['2026-09-26/2026-10-03']],
  ['pesach', 2026, ['2026-04-02/2026-04-08']],
  // A leap year, with two Adars.
  ['purim', 2027, ['2027-03-23/2027-03-24']],
  ['pesach', 2027, ['2027-04-22/2027-04-28']],
  ['shavuot', 2026, ['2026-05-22']],
  ['hanukkah', 2024, ['2024-12-26/2025-01-02']],
  ['hanukkah', 2025, ['2024-12-26/2025-01-02', '2025-12-15/2025-12-22']],
  // 9 Av is a Saturday.
  ['tisha_beav', 2025, ['2025-08-03']],
  ['tisha_beav', 2026, ['2026-07-23']],
  // 5 Iyar is a Saturday, a Wednesday, a Monday.
  ['independence_day_il', 2025, ['2025-05-01']],
  ['independence_day_il', 2026, ['2026-04-22']],
  ['independence_day_il', 2024, ['2024-05-14']],
  ['eid_al_fitr', 2026, ['2026-03-20/2026-03-22']],
  ['eid_al_adha', 2026, ['2026-05-26/2026-05-30']],
  ['hijri_new_year', 2026, ['2026-06-16']],
  ['western_easter', 2026, ['2026-04-03/2026-04-06']],
  ['western_easter', 2027, ['2027-03-26/2027-03-29']],
  ['eastern_easter', 2026, ['2026-04-10/2026-04-13']],
  ['eastern_easter', 2027, ['2027-04-30/2027-05-03']],
  ['eastern_christmas', 2027, ['2027-01-07']],
])('%s of %i', (key, year, days) => {
  expect(daysOf(key, year)).toEqual(days)
})

test('of the country of the zone alone', () => {
  expect(daysOf('independence_day_ps', 2026, 'Asia/Hebron')).toEqual(['2026-11-15'])
  expect(daysOf('independence_day_ps', 2026, 'Asia/Jerusalem')).toEqual([])
  expect(daysOf('independence_day_il', 2026, 'Asia/Hebron')).toEqual([])
  expect(daysOf('independence_day_jo', 2026, 'Asia/Amman')).toEqual(['2026-05-25'])
  expect(daysOf('eid_al_fitr', 2026, 'UTC')).toHaveLength(1)
})

test('what is up to the moon is marked, and nothing else', () => {
  const marked = holidaysOf(2026, 'Asia/Hebron').filter(({ isUpToTheMoon }) => isUpToTheMoon)
  expect(new Set(marked.map(({ calendar }) => calendar))).toEqual(new Set(['muslim']))
  expect(marked).toHaveLength(holidaysOf(2026, 'Asia/Hebron').filter(({ calendar }) => calendar === 'muslim').length)
})

test('each year of the tables has the feasts of each calendar', () => {
  for (let year = 2000; year <= 2076; year += 1) {
    const holidays = holidaysOf(year, 'Asia/Jerusalem')
    for (const key of ['rosh_hashanah', 'pesach', 'western_easter', 'eastern_easter', 'independence_day_il']) {
      expect(
        holidays.filter((one) => one.key === key),
        `${key} ${year}`,
      ).toHaveLength(1)
    }
    expect(
      holidays.some(({ key }) => key === 'eid_al_fitr'),
      String(year),
    ).toBe(true)
    expect(holidays.every(({ from, to }) => from <= `${year}-12-31` && to >= `${year}-01-01`)).toBe(true)
  }
})
