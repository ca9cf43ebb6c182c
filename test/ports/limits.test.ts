import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { TestClock } from '#kit/clock.ts'
import { MemoryLimits } from '#ports/limits/memory.ts'

describe('memory limits', () => {
  test('at no instant are more than the limit allowed within the window behind it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 200 }),
        (limit, gaps) => {
          const clock = new TestClock('2026-01-01T00:00:00.000Z')
          const limits = new MemoryLimits(clock)
          const allowed: number[] = []
          for (const gap of gaps) {
            clock.advance(gap / 1000)
            const now = clock.millis()
            const inside = allowed.filter((instant) => instant > now - 10_000)
            const verdict = limits.hit('k', limit, 10)
            expect(verdict.allowed).toBe(inside.length < limit)
            if (verdict.allowed) allowed.push(now)
            expect(verdict.remaining).toBe(Math.max(0, limit - inside.length - (verdict.allowed ? 1 : 0)))
          }
        },
      ),
    )
  })

  test('keys are independent, and a changed limit applies at once', () => {
    const limits = new MemoryLimits(new TestClock('2026-01-01T00:00:00.000Z'))
    expect(limits.hit('a', 2, 60).allowed).toBe(true)
    expect(limits.hit('a', 2, 60).allowed).toBe(true)
    expect(limits.hit('a', 2, 60).allowed).toBe(false)
    expect(limits.hit('a', 3, 60).allowed).toBe(true)
    expect(limits.hit('a', 1, 60)).toMatchObject({ allowed: false, remaining: 0, resetSeconds: 60 })
    expect(limits.hit('b', 1, 60).allowed).toBe(true)
  })

  test('peek counts nothing', () => {
    const limits = new MemoryLimits(new TestClock('2026-01-01T00:00:00.000Z'))
    expect(limits.peek('a', 1, 60)).toMatchObject({ allowed: true, remaining: 1 })
    expect(limits.hit('a', 1, 60).allowed).toBe(true)
    expect(limits.peek('a', 1, 60)).toMatchObject({ allowed: false, remaining: 0 })
  })
})
