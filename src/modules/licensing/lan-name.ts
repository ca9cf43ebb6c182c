import { randomBytes } from 'node:crypto'
import { plusSeconds, type Clock } from '#kernel/time/clock.ts'
import type { Queries } from '#kernel/contract/tables.ts'
import type { OutboundResult } from '#ports/outbound/port.ts'
import type { InstallDeps } from './deps.ts'
import { postSigned } from './install-key.ts'
import { verifyLanName, type LanNameRequest } from './protocol.ts'

/** Why the vendor gives this server no name. */
export const LAN_NAME_REASONS = [
  /** No licence is entered, or the program knows no vendor. */
  'no_license',
  'vendor_unreachable',
  'vendor_has_none',
  /** Its first heartbeat has not arrived. */
  'not_known_yet',
  'license_refused',
  'license_locked',
  'license_ended',
  'too_many_names',
  'clock_wrong',
  /** Anything else. */
  'vendor_failed',
] as const
type LanNameReason = (typeof LAN_NAME_REASONS)[number]

/** What the vendor says, or why it gives no name and what was seen, in English. */
type LanNameAnswer = { name: string; saidTime: string } | { reason: LanNameReason; detail: string }

interface LanNameWish {
  addresses: readonly string[]
  /** What a certificate authority is to find; null: nothing. */
  challenge: string | null
  /** The time that the last answered request said; null: there was none. */
  saidTime: string | null
}

export type AskForLanName = (wish: LanNameWish) => Promise<LanNameAnswer>

const DEADLINE_MILLIS = 10_000
const ANSWER_BYTES = 16 * 1024

/** By the reason of the vendor's refusal. */
const REFUSALS: Readonly<Record<string, LanNameReason>> = {
  unknown_install: 'not_known_yet',
  clock_wrong: 'clock_wrong',
  license_locked: 'license_locked',
  license_ended: 'license_ended',
  too_many_names: 'too_many_names',
}

interface Refusal {
  error?: { code?: unknown; details?: { reason?: unknown } }
}

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

const refusalOf = (answer: Refusal | null | undefined, status: number): LanNameReason => {
  const error = answer?.error
  if (error?.code === 'LICENSE_INVALID') return REFUSALS[String(error.details?.reason)] ?? 'license_refused'
  // A vendor of an earlier version knows no such request either.
  return status === 404 ? 'vendor_has_none' : 'vendor_failed'
}

const readAnswer = (
  result: OutboundResult,
  { key }: NonNullable<InstallDeps['issuer']>,
  sent: LanNameRequest,
): LanNameAnswer => {
  if (result.status === null) return { reason: 'vendor_unreachable', detail: result.error }
  const answer = parse(result.body)
  if (!result.ok) {
    const reason = refusalOf(answer as Refusal | null | undefined, result.status)
    // The others are said by their reason alone.
    return { reason, detail: reason === 'vendor_failed' ? `${result.status}: ${result.excerpt}`.slice(0, 500) : '' }
  }
  const verified = verifyLanName(answer, key, sent)
  return verified.ok
    ? { name: verified.value.name, saidTime: sent.clientTime }
    : { reason: 'vendor_failed', detail: `The answer is not believed: ${verified.reason}.` }
}

/** The vendor takes no earlier time than it was told, so a clock that was set back goes on from there. */
const laterThan = (said: string | null, now: string): string =>
  said === null || said < now ? now : plusSeconds(said, 0.001)

/** Asks the vendor for the name of this server on its network, as whoever holds its licence. It never throws. */
export const askForLanName =
  (
    { issuer, ...deps }: Pick<InstallDeps, 'issuer' | 'vault' | 'outbound'>,
    { everywhere, clock }: { everywhere: Queries; clock: Clock },
  ): AskForLanName =>
  async ({ addresses, challenge, saidTime }) => {
    try {
      const row = await everywhere.selectFrom('installed_license').selectAll().executeTakeFirst()
      if (!issuer || !row) return { reason: 'no_license', detail: '' }
      const request: LanNameRequest = {
        installId: row.install_id,
        jti: row.license.jti,
        clientTime: laterThan(saidTime, clock.now()),
        nonce: randomBytes(24).toString('base64url'),
        addresses: [...addresses],
        challenge,
      }
      const result = await postSigned(deps, row, {
        issuer,
        path: 'lan-name',
        message: request,
        deadlineMillis: DEADLINE_MILLIS,
        answerBytes: ANSWER_BYTES,
      })
      return readAnswer(result, issuer, request)
    } catch (error) {
      return { reason: 'vendor_failed', detail: String(error).slice(0, 500) }
    }
  }
