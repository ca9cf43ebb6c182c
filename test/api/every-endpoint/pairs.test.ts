import type { LogEvent } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { engine, NO_LIMITS, startApp, type TestApp, type TestAppOptions } from '#kit/app.ts'
import { loadExamples } from '#kit/examples.ts'
import { learnAll } from '#kit/pairs/forms.ts'
import { Gate } from '#kit/pairs/gate.ts'
import { hunt } from '#kit/pairs/hunt.ts'
import { Ring } from '#kit/pairs/race.ts'
import { readCatalogue } from '#kit/pairs/records.ts'
import { brokenRules } from '#kit/pairs/rules.ts'

/**
 * Runs any two changes that touch the same table concurrently, on the same records, and compares the result with
 * running them one after the other, in either order: the replies and the rows must be the same. On Postgres one of the
 * two pauses between two of its statements, holding its locks, until the other has ended or waits for it; nothing is
 * left to chance. An endpoint takes part once it has an example; running that shows which tables it touches.
 *
 * The pairs of a run follow from its seed; `npm run torture` takes another seed each time, and ten minutes. PAIRS_SEED, PAIRS_SECONDS and PAIRS_STOPS set another seed, more time and
 * more places at which a change pauses; PAIRS_FROM=N PAIRS_SECONDS=0 repeats the pair with that number.
 */
const SEED = Number(process.env.PAIRS_SEED ?? 20_260_302)
const SECONDS = Number(process.env.PAIRS_SECONDS ?? (engine === 'postgres' ? 6 : 2))
const STOPS = Number(process.env.PAIRS_STOPS ?? 2)
const FROM = Number(process.env.PAIRS_FROM ?? 0)
/** Each ring has its own program: the gate knows the requests to pause because no others run in that program. */
const RINGS = engine === 'postgres' && SECONDS > 0 ? 4 : 1

/**
 * Changes of several steps, between which another change may come. A billing run bills by what holds when it is a
 * student's turn; test/api/fees/run-races.test.ts shows what holds for it as a whole. An unlock is kept in the file
 * beside the database before its transaction, so that a broken database cannot lose it, and an activation merges what it
 * finds there.
 */
const IN_PARTS = new Set(['billing.run', 'license.unlock'])

const start = (errors: string[], options: TestAppOptions): Promise<TestApp> =>
  startApp({
    log: pino({ level: 'error' }, { write: (line: string) => void errors.push(line) }),
    chance: true,
    config: { registration: true, ...NO_LIMITS, accessTokenSeconds: 1e8, refreshTokenSeconds: 1e8 },
    ...options,
  })

test(
  'two concurrent changes give the result of running one after the other',
  async () => {
    const log: LogEvent[] = []
    const probe = await start([], { queryLog: (event) => void log.push(event) })
    const catalogue = await readCatalogue(probe)
    const { learnt: all, missing } = await learnAll(probe, await loadExamples(), { catalogue, log })
    await probe.close()
    expect(missing).toEqual([])
    const learnt = all.filter(({ endpoint }) => !IN_PARTS.has(endpoint.id))

    const rings = await Promise.all(
      Array.from({ length: RINGS }, async () => {
        const gate = new Gate()
        const errors: string[] = []
        const app = await start(errors, { wrap: gate.wrap })
        return { app, ring: new Ring(app, gate, errors) }
      }),
    )
    const { cells, judged, begun, findings } = await hunt(
      learnt,
      rings.map(({ ring }) => ring),
      { seed: SEED, seconds: SECONDS, stops: STOPS, from: FROM },
    )
    console.log(`seed ${SEED}: ${begun} of ${cells} pairs of ${learnt.length} changes, ${judged} judged`)
    for (const { app } of rings) {
      findings.push(...(await brokenRules(app, catalogue)))
      await app.close().catch((error: unknown) => findings.push(String(error)))
    }
    expect(findings.toSorted().join('\n\n'), `PAIRS_SEED=${SEED}`).toBe('')
  },
  SECONDS * 1000 + 240_000,
)
