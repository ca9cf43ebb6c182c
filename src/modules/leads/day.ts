import { createHash } from 'node:crypto'
import { compiledInTenant } from '#db/queries/compiled.ts'
import { CLOCK_SLACK_SECONDS, plusSeconds } from '#kernel/time/clock.ts'
import { fold } from '#shared/text.ts'
import { phoneKey } from '#shared/twin-phones.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { lockApiKey } from '#modules/api-keys/index.ts'
import { limitReached } from '#ports/limits/port.ts'
import type { Registered } from './schemas.ts'

/*
 * What a publishable key has registered within a day. The key's own row is locked first, so that of two registrations at
 * once the second one sees the first.
 */

export const DAY_SECONDS = 24 * 3600

/** Whom the visitor registers: the names of the student, and the guardian's phone in its stored form. */
interface Registrant {
  firstName: string
  lastName: string
  guardianPhone: string
}

/**
 * Equal for spellings of a name that people consider the same. A name of marks alone has no folded form, and counts as
 * typed.
 */
const fingerprintOf = ({ firstName, lastName, guardianPhone }: Registrant): string =>
  createHash('sha256')
    .update(JSON.stringify([fold(firstName) || firstName, fold(lastName) || lastName, phoneKey(guardianPhone)]))
    .digest('base64url')

interface OfDay {
  keyId: string
  since: string
  /** Rows after it were stored while the clock was wrong: they do not count. */
  until: string
}

const findSame = compiledInTenant((whole, { keyId, since, until, fingerprint }: OfDay & { fingerprint: string }) =>
  whole
    .selectFrom('public_registration')
    .innerJoin('lead', 'lead.id', 'public_registration.lead_id')
    .select(['lead.id', 'lead.student_id'])
    .where('public_registration.api_key_id', '=', keyId)
    .where('public_registration.fingerprint', '=', fingerprint)
    .where('public_registration.created_at', '>', since)
    .where('public_registration.created_at', '<=', until),
)

/** If the key has used up its day: the registration that must be a day old before there is room for another one. */
const findLast = compiledInTenant((whole, { keyId, since, until, skipped }: OfDay & { skipped: number }) =>
  whole
    .selectFrom('public_registration')
    .select('created_at')
    .where('api_key_id', '=', keyId)
    .where('created_at', '>', since)
    .where('created_at', '<=', until)
    .orderBy('created_at', 'desc')
    .limit(1)
    .offset(skipped),
)

interface NewRow {
  lead_id: string
  api_key_id: string
  fingerprint: string
  created_at: string
}

/** Replaces an older row of the same registration, which the sweep would delete. */
const insertRegistration = compiledInTenant((whole, row: NewRow) =>
  whole
    .insertInto('public_registration')
    .values({
      lead_id: row.lead_id,
      api_key_id: row.api_key_id,
      fingerprint: row.fingerprint,
      created_at: row.created_at,
    })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'api_key_id', 'fingerprint']).doUpdateSet((eb) => ({
        lead_id: eb.ref('excluded.lead_id'),
        created_at: eb.ref('excluded.created_at'),
      })),
    ),
)

/**
 * Registers somebody with a key, unless the same was registered with it within a day: the reply is then that of the
 * first one, and takes nothing from the day.
 * @param perDay how many registrations of a day the key may keep
 * @throws RATE_LIMITED with Retry-After once the day is full
 */
export const onceADay = async (
  tx: Tx,
  registrant: Registrant,
  { keyId, perDay }: { keyId: string; perDay: number },
  register: () => Promise<Registered>,
): Promise<Registered> => {
  const { whole, now } = tx
  await lockApiKey(tx, keyId)
  const fingerprint = fingerprintOf(registrant)
  const day = { keyId, since: plusSeconds(now, -DAY_SECONDS), until: plusSeconds(now, CLOCK_SLACK_SECONDS) }
  const [same] = await findSame(whole, { ...day, fingerprint })
  if (same?.student_id) return { leadId: same.id, studentId: same.student_id }
  const [last] = await findLast(whole, { ...day, skipped: perDay - 1 })
  if (last) {
    const resetSeconds = Math.ceil((Date.parse(last.created_at) + DAY_SECONDS * 1000 - Date.parse(now)) / 1000)
    throw limitReached({ allowed: false, limit: perDay, remaining: 0, resetSeconds })
  }
  const registered = await register()
  await insertRegistration(whole, { lead_id: registered.leadId, api_key_id: keyId, fingerprint, created_at: now })
  return registered
}
