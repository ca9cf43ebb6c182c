import { expect, test } from 'vitest'
import { spending } from '../../bench/processor.ts'
import { tableOf, type Row, type Sample } from '../../bench/figures.ts'

const row: Row = {
  name: 'list',
  what: 'a list',
  against: 'a bare one',
  unit: '/s',
  better: 'higher',
  floor: 0.5,
  goal: 0.75,
}

/** Half as fast as required by the clock, but fast enough by processor time. */
const sample = (others: number): Sample => ({
  ours: 250,
  reference: 1000,
  processor: { ours: 1, reference: 0.8, others },
})

const outcomeOf = (of: Row, one: Sample) => tableOf(new Map([[of, { samples: [one, one, one] }]]))

test('on a quiet machine the rates decide, and the processor time is also shown', () => {
  const { text, passed } = outcomeOf(row, sample(0.05))
  expect(passed).toBe(false)
  expect(text).toMatch(/0\.25 +MISSED/)
  expect(text).toContain('1.000 against 0.800 ms')
  expect(text).not.toContain('this decides')
})

test('on a busy machine the processor time per operation decides', () => {
  const { text, passed } = outcomeOf(row, sample(0.4))
  expect(passed).toBe(true)
  expect(text).toMatch(/0\.80 +goal/)
  expect(text).toContain('others had 40 %, so this decides')
})

test('rows that wait for the disk are decided by rates, even on a busy machine', () => {
  const { text, passed } = outcomeOf({ ...row, waitsForDisk: true }, sample(0.4))
  expect(passed).toBe(false)
  expect(text).toContain('others had 40 %')
  expect(text).not.toContain('this decides')
})

test('the processor time of a process is measured', async () => {
  const busy = async () => {
    const end = process.cpuUsage().user + 200_000
    while (process.cpuUsage().user < end) Math.sqrt(Math.random())
    return 'done'
  }
  const { result, spent } = await spending(process.pid, busy)
  expect(result).toBe('done')
  // Processor time is measured in hundredths of a second, and includes other threads of this process.
  expect(spent.millis).toBeGreaterThanOrEqual(180)
  expect(spent.millis).toBeLessThan(2000)
  expect(spent.others).toBeGreaterThanOrEqual(0)
  expect(spent.others).toBeLessThan(1.2)
})
