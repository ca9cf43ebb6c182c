import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { base32nopad } from '@scure/base'

/** Codes of an app, by RFC 6238: HMAC-SHA-1, six digits, a new one every half minute, as all apps know it. */

const SECRET_BYTES = 20
const STEP_SECONDS = 30
const DIGITS = 6
/** A code is taken a step before and after its time too: people type slowly, and clocks differ. */
const WINDOW = 1

/** @returns the secret as people type it into their app, in base32 */
export const newTotpSecret = (): string => base32nopad.encode(randomBytes(SECRET_BYTES))

/** @public for tests, which play the app */
export const codeAt = (secret: string, step: number): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', base32nopad.decode(secret)).update(counter).digest()
  const place = (mac.at(-1) ?? 0) & 0x0f
  const number = (mac.readUInt32BE(place) & 0x7f_ff_ff_ff) % 10 ** DIGITS
  return String(number).padStart(DIGITS, '0')
}

/** The half minute of an instant. */
export const stepAt = (instant: string): number => Math.floor(Date.parse(instant) / 1000 / STEP_SECONDS)

type Match = { outcome: 'fits'; step: number } | { outcome: 'used' | 'wrong' }

/**
 * Whether a code is one of now.
 * @param lastStep of the code that was taken last; null: none was. Neither it nor an earlier one is taken again. One that
 * lies ahead was kept while the clock was wrong, and counts for nothing
 */
export const matchCode = (
  secret: string,
  code: string,
  { now, lastStep }: { now: string; lastStep: number | null },
): Match => {
  const given = Buffer.from(code)
  const current = stepAt(now)
  const taken = lastStep !== null && lastStep <= current + WINDOW ? lastStep : -1
  const fitting: number[] = []
  for (let step = current - WINDOW; step <= current + WINDOW; step += 1) {
    const right = Buffer.from(codeAt(secret, step))
    if (right.length === given.length && timingSafeEqual(right, given)) fitting.push(step)
  }
  const fresh = fitting.find((step) => step > taken)
  if (fresh !== undefined) return { outcome: 'fits', step: fresh }
  return { outcome: fitting.length > 0 ? 'used' : 'wrong' }
}

/** What the QR code holds: the secret, and how the app calls it. */
export const otpauthUri = ({
  secret,
  issuer,
  account,
}: {
  secret: string
  issuer: string
  account: string
}): string => {
  // Apps split the label at its colon.
  const by = issuer.replaceAll(':', ' ')
  const label = `${encodeURIComponent(by)}:${encodeURIComponent(account)}`
  const query = { secret, issuer: by, algorithm: 'SHA1', digits: String(DIGITS), period: String(STEP_SECONDS) }
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `otpauth://totp/${label}?${pairs.join('&')}`
}
