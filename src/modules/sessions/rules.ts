import type { InferOutput } from 'valibot'
import { invalid } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { groupRecord } from '#modules/groups/index.ts'
import { checkReached, lockRow } from '#runtime/records/records.ts'
import { followRules } from './follow-rules.ts'
import { rulesOf } from './generation.ts'
import { overlappingRules } from '#shared/occurrences.ts'
import { ScheduleRule, type NewSchedule } from './schemas.ts'
import { toSession } from './service.ts'

type Rule = InferOutput<typeof ScheduleRule>
type NewRule = NewSchedule['schedules'][number]

const toScheduleRule = shows(ScheduleRule)

const showRules = async (db: ScopedDb, groupId: string): Promise<Rule[]> =>
  (await rulesOf(db, groupId)).map(toScheduleRule)

/** @throws NotFound */
export const listRules = async (db: ScopedDb, groupId: string): Promise<Rule[]> => {
  await checkReached(db, 'group', groupId)
  return showRules(db, groupId)
}

const isSame = (a: NewRule, b: NewRule): boolean =>
  a.weekday === b.weekday &&
  a.startTime === b.startTime &&
  a.endTime === b.endTime &&
  a.validFrom === b.validFrom &&
  a.validTo === b.validTo

/**
 * Replaces the group's rules, without touching those that stay, and updates its sessions. @throws NotFound,
 * VALIDATION_ERROR
 */
export const replaceRules = async (tx: Tx, groupId: string, { schedules }: NewSchedule): Promise<Rule[]> => {
  const group = await lockRow(tx, groupRecord, groupId)
  const overlap = overlappingRules(schedules)
  if (overlap) throw invalid(['schedules', overlap[1]], `Must not overlap with rule ${overlap[0]} of the group.`)
  const before = await showRules(tx.db, groupId)
  const gone = before.filter((rule) => !schedules.some((one) => isSame(one, rule)))
  const added = schedules.filter((rule) => !before.some((one) => isSame(one, rule)))
  if (gone.length > 0) {
    const ids = gone.map(({ id }) => id)
    await tx.db.deleteFrom('schedule_rule').where('id', 'in', ids).execute()
  }
  if (added.length > 0) {
    await tx.db
      .insertInto('schedule_rule')
      .values(
        added.map((rule) => ({
          id: tx.id(),
          group_id: groupId,
          weekday: rule.weekday,
          start_time: rule.startTime,
          end_time: rule.endTime,
          valid_from: rule.validFrom,
          valid_to: rule.validTo,
        })),
      )
      .execute()
  }
  const { created, cancelled, removedSessions } = await followRules(tx, group, schedules)
  const after = await showRules(tx.db, groupId)
  tx.audit({
    entityType: 'group',
    entityId: groupId,
    before: { schedules: before, removedSessions: removedSessions.map((row) => toSession({ ...row, given_by: null })) },
    after: { schedules: after },
    metadata: {
      createdSessions: created,
      removedSessions: removedSessions.length,
      ...(cancelled > 0 && { cancelledSessions: cancelled }),
    },
  })
  return after
}
