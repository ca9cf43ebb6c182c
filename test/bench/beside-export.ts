import { setTimeout as pause } from 'node:timers/promises'
import { drive, measured } from './client.ts'
import { p99, type Measured, type Row, type Sample } from './figures.ts'
import type { School } from './school.ts'

const READ_MILLIS = 2000
const POLL_MILLIS = 200

export const BESIDE_EXPORT = {
  name: 'beside-export',
  what: 'p99 of the list while everything is exported, over 100,000 rows',
  against: 'alone',
  unit: 'ms',
  better: 'lower',
  floor: 3,
  goal: 1.5,
} satisfies Row

interface Export {
  status: 'queued' | 'running' | 'done' | 'failed'
  error: string | null
}

const exportAll = async ({ call }: School): Promise<void> => {
  let found = await call<Export>('POST', '/export', { fresh: true })
  while (found.status === 'queued' || found.status === 'running') {
    await pause(POLL_MILLIS)
    found = await call<Export>('POST', '/export', {})
  }
  if (found.status === 'failed') throw new Error(`the export failed: ${found.error}`)
}

/** p99 latency of the office's list while the owner exports the institute, compared with no export. */
export const besideExport = async (school: School, rounds: number): Promise<Measured> => {
  const request = school.request('GET', '/students?limit=25')
  const samples: Sample[] = []
  for (let round = 0; round < rounds; round += 1) {
    const alone = await measured(school.program, () => request, READ_MILLIS)
    let isDone = false
    const beside = drive(school.program.url, () => (isDone ? undefined : request))
    await exportAll(school)
    isDone = true
    samples.push({ reference: p99(alone.latencies), ours: p99((await beside).latencies) })
  }
  return { samples }
}
