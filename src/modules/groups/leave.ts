import { forNoKeyUpdate } from '#db/dialect.ts'
import { invalid } from '#kernel/values/errors.ts'
import type { EventSubscriber } from '#kernel/contract/module.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { localDate } from '#kernel/time/zone.ts'
import { dropEnrollment, endIfDue, liftEnd } from './enrollments.ts'

/** What becomes of enrollments when a student leaves, whose row is locked already. */

const activeOf = ({ whole }: Tx, studentId: string) =>
  forNoKeyUpdate(
    whole,
    whole
      .selectFrom('enrollment')
      .select(['id', 'enrolled_at', 'ended_at'])
      .where('student_id', '=', studentId)
      .where('status', '=', 'active')
      .orderBy('id'),
  ).execute()

/**
 * Ends the enrollments of a student on their last day. One that ends before stays so, unless its end is that of the
 * former last day; one that would begin later never does.
 * @throws VALIDATION_ERROR for a day before an enrollment that has begun
 */
export const endOnLastDay = async (
  tx: Tx,
  studentId: string,
  { on, former, reason }: { on: string; former: string | null; reason: string },
): Promise<void> => {
  const dayOf = (at: string) => localDate(at, tx.tenant.timezone)
  for (const { id, enrolled_at: begin, ended_at: end } of await activeOf(tx, studentId)) {
    const ownEnd = end === null ? null : dayOf(end)
    if (ownEnd !== null && ownEnd < on && ownEnd !== former) continue
    const isNeverBegun = dayOf(begin) > on
    if (isNeverBegun && begin <= tx.now) {
      throw invalid(['leftOn'], 'Must not be before the student was enrolled in a group that they are in.')
    }
    await dropEnrollment(tx, id, isNeverBegun ? { reason } : { reason, endedAt: on })
  }
}

/** Takes back the ends of a student’s enrollments on a day that was to be the last. */
export const liftLastDay = async (tx: Tx, studentId: string, on: string): Promise<void> => {
  for (const { id, ended_at: end } of await activeOf(tx, studentId)) {
    if (end !== null && localDate(end, tx.tenant.timezone) === on) await liftEnd(tx, id)
  }
}

/** Drops what a student is still enrolled in who withdraws or graduates, in the same transaction. */
export const dropEnrollments: EventSubscriber = async (system, events) => {
  for (const { type, tenant, data } of events) {
    if (type !== 'student.status_changed') continue
    if (data.status !== 'withdrawn' && data.status !== 'graduated') continue
    const tx = system.inTenant(tenant)
    // An enrollment that another transaction ends at this moment stays as it ended.
    for (const { id } of await activeOf(tx, data.studentId)) {
      if (await endIfDue(tx, id)) continue
      await dropEnrollment(tx, id, { reason: `The student is ${data.status}.` })
    }
  }
}
