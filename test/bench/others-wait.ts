import { setTimeout as pause } from 'node:timers/promises'
import { createDatabase, startPostgres } from '#kit/postgres.ts'
import { SecondClient, type Waits } from '#kit/second-client.ts'
import { idAt } from '#kit/fill-sql.ts'
import { API_ROOT } from '#http/server/server.ts'
import { median, type Measured } from './figures.ts'
import { kindsOf, type Kind } from './hostile-kinds.ts'
import { openLargeInstitute, ROWS, type LargeInstitute } from './large-institute.ts'
import type { Workbench } from './workbench.ts'

/** The latency of the second client with no other load. */
const IDLE_MILLIS = 1000
const IDLE: Kind = { name: '(nothing)', work: async () => pause(IDLE_MILLIS) }

interface Waited {
  engine: string
  kind: Kind
  rounds: (Waits & { failures: number })[]
}

const worstOf = ({ rounds }: Waited): number[] =>
  // A refused client waits for ever, and no request may make the server fail.
  rounds.map(({ worst, refused, failures }) => (refused.length + failures > 0 ? Number.POSITIVE_INFINITY : worst))

const measureOn = async (bench: Workbench, institute: LargeInstitute, rounds: number): Promise<Waited[]> => {
  const { engine } = institute.database
  const { owner } = institute.callers
  const second = new SecondClient(institute.program.url, owner.credential as string, [
    `${API_ROOT}/health/live`,
    `${API_ROOT}/students/${idAt('student', ROWS - 7)}`,
  ])
  try {
    const told = [IDLE, ...kindsOf(institute)].map((kind): Waited => ({ engine, kind, rounds: [] }))
    for (let round = 1; round <= rounds; round += 1) {
      bench.say(`${engine}: round ${round} of ${rounds}`)
      for (const { kind, rounds: waits } of told) {
        await kind.prepare?.()
        const failed = kind.failures?.() ?? 0
        const waited = await second.beside(kind.work)
        waits.push({ ...waited, failures: (kind.failures?.() ?? 0) - failed })
        await kind.undo?.()
      }
    }
    return told
  } finally {
    second.stop()
  }
}

const written = (millis: number): string => millis.toFixed(0)

/** The latencies as measured, then everything else that went wrong. */
const lineOf = ({ engine, kind, rounds }: Waited): string => {
  const worst = rounds.map((waits) => waits.worst)
  const range = `${written(Math.min(...worst))}-${written(Math.max(...worst))}`
  const p99 = median(rounds.map((waits) => waits.p99))
  const refused = rounds.flatMap((waits) => waits.refused)
  return [
    `${engine.padEnd(8)}  ${kind.name.padEnd(52)}  worst ${written(median(worst)).padStart(5)} ms  (${range}), p99 ${written(p99)}`,
    kind.answers?.() ?? '',
    refused.length > 0 ? `second client: ${refused.length} × ${refused[0]}` : '',
  ]
    .filter((part) => part !== '')
    .join('; ')
}

/**
 * The worst latency of a second client while the worst requests of each kind run, on both engines. It takes the median
 * of the rounds' worst for each kind, so that one hiccup of the machine does not decide. The row shows the worst kind's
 * rounds.
 */
export const othersWait = async (bench: Workbench, rounds: number): Promise<Measured> => {
  // A round runs all kinds on both engines, which takes as long as five rounds of another row.
  const some = Math.ceil(rounds / 2)
  const all: Waited[] = []
  for (const engine of ['sqlite', 'postgres'] as const) {
    const postgres = engine === 'postgres' ? await startPostgres() : undefined
    try {
      const url = postgres && (await createDatabase(postgres.adminUrl)).url
      bench.say(`filling an institute of 200,000 students (${engine})`)
      const institute = await openLargeInstitute(await bench.executable(), bench.emptyFolder(), url)
      try {
        all.push(...(await measureOn(bench, institute, some)))
      } finally {
        await institute.close()
      }
    } finally {
      await postgres?.stop()
    }
  }
  const hostile = all.filter(({ kind }) => kind !== IDLE)
  const worst = hostile.toSorted((a, b) => median(worstOf(b)) - median(worstOf(a)))[0] as Waited
  return {
    samples: worstOf(worst).map((ours) => ({ ours })),
    below: all.map(lineOf),
  }
}
