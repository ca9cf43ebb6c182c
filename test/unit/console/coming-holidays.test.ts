import { expect, test } from 'vitest'
import { comingHolidays } from '../../../src/console/screens/closures/coming.ts'
import { holidaysOf } from '#modules/closures/holidays.ts'

const of = (year: number) => holidaysOf(year, 'Asia/Hebron').map((holiday) => ({ ...holiday, closureId: null }))
const today = '2026-11-30'

test('late in a year the feasts of the year after stand there, those of the institute’s language first', () => {
  const holidays = [...of(2026), ...of(2027)]
  const [first, ...others] = comingHolidays(holidays, { today, locale: 'ar', isThisYear: true })
  expect(first?.calendar).toBe('muslim')
  expect(first?.own.map(({ name }) => name.en)).toEqual(expect.arrayContaining(['Eid al-Fitr', 'Eid al-Adha']))
  expect(others.at(-1)?.calendar).toBe('jewish')
  const all = [first, ...others].flatMap((one) => one?.own ?? [])
  expect(all.every(({ from, to }) => to >= today && from <= '2027-11-30')).toBe(true)
  expect(comingHolidays(holidays, { today, locale: 'he', isThisYear: true })[0]?.calendar).toBe('jewish')
})

test('of a year to come all stand there, but those that are closed already', () => {
  const closed = of(2028).map((holiday) => ({ ...holiday, closureId: holiday.calendar === 'muslim' ? 'c' : null }))
  const shown = comingHolidays(closed, { today, locale: 'ar', isThisYear: false })
  expect(shown.map(({ calendar }) => calendar)).not.toContain('muslim')
  expect(shown.flatMap(({ own }) => own)).toHaveLength(closed.filter(({ closureId }) => closureId === null).length)
})
