import { CLOCK_SLACK_SECONDS, plusSeconds } from '#kernel/time/clock.ts'
import type { OutboundResult } from '#ports/outbound/port.ts'
import { verifyEnvelope, type EnvelopePayload, type Heartbeat } from './protocol.ts'
import type { PublicKey } from './signing.ts'
import { latest } from './state.ts'

/** The answer to a heartbeat: what its envelope says, once the signature is checked, or in words what is wrong. */
export type HeartbeatAnswer = { payload: EnvelopePayload } | { error: string }

type Doubt = Extract<ReturnType<typeof verifyEnvelope>, { ok: false }>['reason']

const DOUBTS: Readonly<Record<Doubt, string>> = {
  malformed: 'What answered is not the vendor’s server: another page or program stands at its address.',
  other_key: 'The answer is signed with another key than the vendor’s.',
  bad_signature:
    'The answer does not have the vendor’s signature: it was changed on the way, is for another licence, or another server answered.',
  other_install: 'The answer is for another install.',
  other_nonce: 'The answer is for another heartbeat: an old one was sent again.',
}

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

const codeIn = (answer: unknown): unknown =>
  (answer as { error?: { code?: unknown } | null } | null | undefined)?.error?.code

/** Checks an answer. @param sent the heartbeat that was sent */
export const readAnswer = (
  result: OutboundResult,
  key: PublicKey,
  sent: Pick<Heartbeat, 'installId' | 'jti' | 'nonce'>,
): HeartbeatAnswer => {
  if (result.status === null) return { error: `The vendor did not answer: ${result.error}.` }
  const answer = parse(result.body)
  if (codeIn(answer) === 'LICENSE_INVALID') {
    return { error: 'The vendor does not accept this licence, or not from this server: it has to look into it.' }
  }
  if (!result.ok) return { error: `The vendor’s server answered with the status ${result.status}.` }
  if (result.truncated) return { error: 'The answer is longer than any that the vendor gives.' }
  const verified = verifyEnvelope(answer, key, sent)
  return verified.ok ? { payload: verified.value } : { error: DOUBTS[verified.reason] }
}

/** Whether the issuer's clock says less than in an earlier envelope. */
export const issuerClockWentBack = (serverTime: string, before: string | null): boolean =>
  before !== null && serverTime < plusSeconds(before, -CLOCK_SLACK_SECONDS)

/** A reading further ahead of all others than this was wrong. */
const CREDIBLE_SECONDS = 24 * 3600

/**
 * Whether the issuer's clock says a time far beyond all that was ever seen here. It is not remembered: as the latest time
 * it would end every unlock token, and make every right time look like one that went back.
 * @param readings what the own clock says, and the latest time seen so far
 */
export const issuerClockIsAhead = (serverTime: string, readings: readonly string[]): boolean =>
  serverTime > plusSeconds(latest(...readings), CREDIBLE_SECONDS)

/**
 * The latest time seen so far, once the issuer's time is known. It goes back only when an earlier reading cannot have been
 * true: a reading of a clock that ran ahead would otherwise make every later time look like a clock that was set back.
 */
export const observedBy = (serverTime: string, readings: readonly string[]): string => {
  const latestCredible = plusSeconds(serverTime, CREDIBLE_SECONDS)
  return latest(serverTime, ...readings.filter((reading) => reading <= latestCredible))
}
