import type { Logger } from 'pino'
import { change, read } from '#kernel/contract/endpoint.ts'
import { pageOf, pageQuery } from '#kernel/values/schema.ts'
import { StudentNumbersUsedUp } from '#modules/people/index.ts'
import { readCaptcha } from '#modules/settings/index.ts'
import type { Outbound } from '#ports/outbound/port.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import { CaptchaUnverified, verifyCaptcha } from './captcha.ts'
import { DAY_SECONDS } from './day.ts'
import { listPublicCourses } from './public-courses.ts'
import { checkOpen, NotOffered, register, RegistrationDisabled } from './registration.ts'
import { PublicCourse, Registered, Registration } from './schemas.ts'

/** Rate limits for the institute's website. An address is an IPv4 address or an IPv6 /64 network. */
export interface PublicLimits {
  registrationsPerMinuteOfAddress: number
  /** By all visitors together; only what is kept counts. */
  registrationsADayOfKey: number
  /** The others wait for their turn: a flood must not slow down the institute's own people. */
  registrationsPerSecondOfInstitute: number
  readsPerMinuteOfAddress: number
}

export interface PublicDeps {
  vault: Vault
  log: Pick<Logger, 'warn'>
  /** Reaches the captcha's provider. */
  outbound: Outbound
  limits: PublicLimits
}

export const publicEndpoints = ({ vault, log, outbound, limits }: PublicDeps) => [
  read({
    id: 'public-courses.list',
    path: '/public/courses',
    summary: 'List the courses for which people may register',
    description: 'Public and active ones, newest first.',
    access: 'publishable',
    limits: [{ per: 'network', requests: limits.readsPerMinuteOfAddress, seconds: 60 }],
    query: pageQuery({}),
    reply: pageOf(PublicCourse),
    handle: listPublicCourses,
  }),
  change({
    id: 'public-registrations.create',
    method: 'POST',
    path: '/public/registrations',
    summary: 'Register from the institute’s website',
    description:
      'Makes a lead and, in the default branch, a student of status lead with the tag `widget-lead`. Whoever has the guardian’s phone becomes primary contact and payer: a guardian of the institute stays as they are, another one is added. One of another name becomes it at the conversion, and not before, and the lead tells the desk (`guardianNameDiffers`). The reply is the same. `courseId` must be public and active, `groupId` planned or active and of such a course, of `courseId` where both are given: else 404, the same whether or not there is one. Where the settings ask for a captcha, `captchaToken` is required, and one that is not good is 422: it counts once, and where the provider tells of it, on the website from which the request comes and, with reCAPTCHA v3, from a score of 0.5. When the provider cannot be asked, nothing is kept: 500 with details {reason: captcha_unverified} and Retry-After; the same request, with a new token, may succeed then. A registration is taken however many students the plan allows: they count from their conversion on. The same names and guardian’s phone with the same key within 24 hours are the same registration: the reply is that of the first one, whatever the Idempotency-Key, and nothing is added.',
    access: 'publishable',
    limits: [
      { per: 'network', requests: limits.registrationsPerMinuteOfAddress, seconds: 60 },
      { per: 'caller', requests: limits.registrationsADayOfKey, seconds: DAY_SECONDS, counts: 'kept' },
    ],
    startsPerSecond: limits.registrationsPerSecondOfInstitute,
    body: Registration,
    status: 201,
    reply: Registered,
    fails: [RegistrationDisabled, NotOffered, CaptchaUnverified, StudentNumbersUsedUp],
    needsPrepare: async (whole) => (await readCaptcha(whole, vault)) !== null,
    prepare: async ({ whole, tenant, body, request }) => {
      await checkOpen(whole)
      const captcha = await readCaptcha(whole, vault)
      if (!captcha) return
      await verifyCaptcha(outbound, captcha, {
        token: body.captchaToken,
        origin: request.header('origin') ?? '',
        failed: (why) =>
          log.warn({ tenantId: tenant.id, provider: captcha.provider, why }, 'a captcha could not be verified'),
      })
    },
    handle: ({ tx, caller, body }) => register(tx, body, { keyId: caller.id, perDay: limits.registrationsADayOfKey }),
  }),
]
