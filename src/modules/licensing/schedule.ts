import { plusSeconds } from '#kernel/time/clock.ts'

/** However often the issuer wants heartbeats, they are not sent more often than this, unless the own setting says so. */
const LEAST_SECONDS = 60
/** After a failure the next try comes sooner than the next heartbeat would. */
const RETRY_SECONDS = 3600
/** After commands were applied: the issuer waits for the acknowledgement. */
const SOON_SECONDS = 2
/** How much of a wait is left to chance, so that installs that started together do not stay together. */
const JITTER = 0.1

interface Waiting {
  /** The own setting. */
  heartbeatSeconds: number
  chance(): number
}

const jittered = (seconds: number, { chance }: Pick<Waiting, 'chance'>): number => seconds * (1 - JITTER * chance())

/** Seconds until the next heartbeat: the smaller of the issuer's wish and the own setting, less up to a tenth. */
export const waitAfterAnswer = (nextHeartbeatSec: number, waiting: Waiting): number => {
  const own = waiting.heartbeatSeconds
  return jittered(Math.max(Math.min(nextHeartbeatSec, own), Math.min(LEAST_SECONDS, own)), waiting)
}

export const waitAfterFailure = (waiting: Waiting): number =>
  jittered(Math.min(RETRY_SECONDS, waiting.heartbeatSeconds), waiting)

export const waitToAcknowledge = (waiting: Waiting): number =>
  jittered(Math.min(SOON_SECONDS, waiting.heartbeatSeconds), waiting)

/**
 * Whether a heartbeat is due. A time further ahead than any wait was written while the clock was wrong.
 * @param nextAt null: none was sent yet
 */
export const isDue = (nextAt: string | null, now: string, { heartbeatSeconds }: Pick<Waiting, 'heartbeatSeconds'>) =>
  nextAt === null || nextAt <= now || nextAt > plusSeconds(now, heartbeatSeconds)
