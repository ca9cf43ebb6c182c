import * as v from 'valibot'
import { failure, invalid, reasons } from '#kernel/values/errors.ts'
import type { Outbound, OutboundResult } from '#ports/outbound/port.ts'

/** Verifies captchas of the three providers, which take the same form and give the same reply. */

export interface Captcha {
  provider: 'turnstile' | 'hcaptcha' | 'recaptcha'
  secret: string
}

const SITEVERIFY: Readonly<Record<Captcha['provider'], string>> = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
  recaptcha: 'https://www.google.com/recaptcha/api/siteverify',
}

/** These codes blame our secret or the provider, not the visitor's token. */
const NOT_THE_TOKEN = new Set([
  'missing-input-secret',
  'invalid-input-secret',
  'invalid-parsed-secret',
  'internal-error',
])

/** Google's default threshold for reCAPTCHA v3, which accepts a robot's token too and only gives it a low score. */
const LEAST_SCORE = 0.5

const ANSWER_BYTES = 16 * 1024
const RETRY_AFTER_SECONDS = 30

const Answer = v.object({
  success: v.boolean(),
  hostname: v.nullish(v.string()),
  score: v.nullish(v.number()),
  'error-codes': v.nullish(v.array(v.string())),
})
type Answer = v.InferOutput<typeof Answer>

export const CaptchaUnverified = failure(
  'INTERNAL_ERROR',
  'captcha_unverified',
  'The captcha could not be verified at the moment, and nothing was kept. Try again with a new token after Retry-After.',
  { details: reasons('captcha_unverified') },
)

/** The provider's reply; a text says why it is unknown. */
const answerIn = (result: OutboundResult): Answer | string => {
  if (result.status === null) return result.error
  const { body, status, truncated, ok } = result
  let answer: unknown
  try {
    answer = truncated ? undefined : JSON.parse(body.toString())
  } catch {
    answer = undefined
  }
  const { success, output } = v.safeParse(Answer, answer)
  // Believe a refusal with any status, but a success only with a 2xx.
  if (!success || (output.success && !ok)) return `an answer of status ${status} that is not as documented`
  const codes = output['error-codes'] ?? []
  return codes.some((code) => NOT_THE_TOKEN.has(code)) ? `error codes ${codes.join(', ')}` : output
}

const sameHost = (hostname: string, origin: string): boolean =>
  URL.parse(`https://${hostname}`)?.hostname === URL.parse(origin)?.hostname

/** The reason to refuse the token; undefined: none. */
const faultOf = (answer: Answer, { provider }: Captcha, origin: string): string | undefined => {
  const { success, hostname, score } = answer
  if (!success) return 'Is not valid, has expired or was used before: solve the captcha again.'
  // hCaptcha takes the host name from the browser, omits it under load, and advises not to rely on it.
  if (provider !== 'hcaptcha' && hostname && !sameHost(hostname, origin)) return 'Was given on another website.'
  if (provider === 'recaptcha' && (score ?? 1) < LEAST_SCORE) return 'Was given to what looks like a robot.'
  return undefined
}

/**
 * Asks the provider whether the captcha was solved. The provider learns the token, and nothing about the visitor.
 * @param origin of the page with the form
 * @param failed called with the reason when the provider gave no usable reply
 * @throws VALIDATION_ERROR for a missing or invalid token, CaptchaUnverified
 */
export const verifyCaptcha = async (
  outbound: Outbound,
  captcha: Captcha,
  { token, origin, failed }: { token: string | null | undefined; origin: string; failed: (why: string) => void },
): Promise<void> => {
  if (!token) throw invalid(['captchaToken'], 'Is required: this institute asks for a captcha.')
  const result = await outbound.post({
    url: SITEVERIFY[captcha.provider],
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({ secret: captcha.secret, response: token }).toString(),
    maxResponseBytes: ANSWER_BYTES,
  })
  const answer = answerIn(result)
  if (typeof answer === 'string') {
    failed(answer)
    throw CaptchaUnverified({ reason: 'captcha_unverified' }, { 'Retry-After': String(RETRY_AFTER_SECONDS) })
  }
  const fault = faultOf(answer, captcha, origin)
  if (fault !== undefined) throw invalid(['captchaToken'], fault)
}
