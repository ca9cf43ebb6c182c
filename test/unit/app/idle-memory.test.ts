import { getHeapStatistics } from 'node:v8'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { IdleMemory } from '#app/process/idle-memory.ts'
import { collectGarbage } from '#kit/garbage.ts'

const heap = (): number => getHeapStatistics().total_heap_size

/** Makes the heap grow, and leaves only garbage in it. @returns how large it was with what is garbage then */
const grownHeap = (): number => {
  const held = Array.from({ length: 10 }, (_, round) =>
    Array.from({ length: 100_000 }, (_row, index) => ({ index, name: `row ${index}`, of: { round } })),
  )
  expect(held).toHaveLength(10)
  return heap()
}

test('once the program is idle, the heap shrinks again after a busy time', async () => {
  const memory = new IdleMemory(pino({ level: 'silent' }))
  // Other tests of this process leave garbage, whose place would be used before the heap grows.
  collectGarbage()
  const before = heap()
  const grown = grownHeap()
  expect(grown - before).toBeGreaterThan(32 * 1024 * 1024)
  await vi.waitFor(
    () => {
      memory.look()
      expect(heap() - before).toBeLessThan((grown - before) / 2)
    },
    { timeout: 10_000, interval: 100 },
  )
})

test('while the program is busy, no garbage collection is forced', () => {
  const memory = new IdleMemory(pino({ level: 'silent' }))
  const grown = grownHeap()
  memory.look()
  expect(heap()).toBeGreaterThanOrEqual(grown)
})
