import { getHeapStatistics } from 'node:v8'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { IdleMemory } from '#app/idle-memory.ts'

const heap = (): number => getHeapStatistics().total_heap_size

/** Makes the heap grow and leaves only garbage in it. */
const beBusy = (): void => {
  for (let round = 0; round < 30; round += 1) {
    const rows = Array.from({ length: 100_000 }, (_, index) => ({ index, name: `row ${index}`, of: { round } }))
    expect(rows).toHaveLength(100_000)
  }
}

test('once the program is idle, the heap shrinks again after a busy time', async () => {
  const memory = new IdleMemory(pino({ level: 'silent' }))
  const before = heap()
  beBusy()
  const grown = heap()
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
  beBusy()
  const grown = heap()
  memory.look()
  expect(heap()).toBeGreaterThanOrEqual(grown)
})
