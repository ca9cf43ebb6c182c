import type { Logger } from 'pino'
import type * as v from 'valibot'
import type { Probe } from '#kernel/contract/check.ts'
import { StorageProblem } from '#kernel/values/errors.ts'
import type { Check } from './schemas.ts'

const DEADLINE_MILLIS = 2000

/** @throws what the probe throws, or an Error when it takes too long */
const inTime = async (probe: () => Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error('It takes too long.')), DEADLINE_MILLIS)
  })
  try {
    await Promise.race([probe(), late])
  } finally {
    clearTimeout(timer)
  }
}

export const checked = async (probe: () => Promise<void>): Promise<v.InferOutput<typeof Check>> => {
  try {
    await inTime(probe)
    return { status: 'ok' }
  } catch (error) {
    // The reply needs no credential, so it does not reveal other causes.
    return { status: 'error', error: error instanceof StorageProblem ? error.message : 'unreachable' }
  }
}

export const passes = async ({ name, probe }: Probe, log: Logger): Promise<boolean> => {
  try {
    await inTime(probe)
    return true
  } catch (error) {
    log.warn({ err: error, probe: name }, 'the program is not ready')
    return false
  }
}
