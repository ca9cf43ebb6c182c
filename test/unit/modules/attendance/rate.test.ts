import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attendanceRate } from '#modules/attendance/rate.ts'

describe('attendanceRate', () => {
  test.each([
    [{ present: 3, late: 0, absent: 1 }, 75],
    [{ present: 2, late: 1, absent: 1 }, 75],
    [{ present: 0, late: 5, absent: 0 }, 100],
    [{ present: 0, late: 0, absent: 4 }, 0],
    [{ present: 1, late: 0, absent: 2 }, 33.3],
    [{ present: 2, late: 0, absent: 1 }, 66.7],
    [{ present: 1, late: 0, absent: 15 }, 6.3],
    [{ present: 1, late: 0, absent: 79 }, 1.3],
    [{ present: 1999, late: 0, absent: 1 }, 100],
    [{ present: 1998, late: 0, absent: 2 }, 99.9],
  ])('of %o is %d', (counts, rate) => {
    expect(attendanceRate(counts)).toBe(rate)
  })

  test('is null when nothing counts', () => {
    expect(attendanceRate({ present: 0, late: 0, absent: 0 })).toBeNull()
  })

  test('is the tenth of a percent nearest to the exact quotient, the upper one at a half', () => {
    const count = fc.integer({ min: 0, max: 100_000 })
    fc.assert(
      fc.property(count, count, count, (present, late, absent) => {
        fc.pre(present + late + absent > 0)
        const rate = attendanceRate({ present, late, absent })
        const tenths = BigInt(Math.round((rate ?? Number.NaN) * 10))
        expect(rate).toBe(Number(tenths) / 10)
        // −1/2 < tenths − exact ≤ 1/2, multiplied by 2 × counted
        const counted = BigInt(present + late + absent)
        const error = 2n * (tenths * counted - 1000n * BigInt(present + late))
        expect(-counted < error && error <= counted).toBe(true)
      }),
    )
  })
})
