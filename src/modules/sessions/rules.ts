import type { InferOutput } from 'valibot'
import { invalid } from '#kernel/errors.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { groupRecord } from '#modules/groups/index.ts'
import { checkReached, lockRow } from '#runtime/entities.ts'
import { alignSessions, rulesOf, toRule } from './generation.ts'
import { overlappingRules } from './occurrences.ts'
import type { NewSchedule, ScheduleRule } from './schemas.ts'
import { toSession } from './service.ts'
import './tables.ts'

type Rule = InferOutput<typeof ScheduleRule>

const showRules = async (db: ScopedDb, groupId: string): Promise<Rule[]> =>
  (await rulesOf(db, groupId)).map((row) => ({ id: row.id, groupId, ...toRule(row) }))

/** @throws NotFound */
export const listRules = async (db: ScopedDb, groupId: string): Promise<Rule[]> => {
  await checkReached(db, 'group', groupId)
  return showRules(db, groupId)
}

/** Puts these rules in the place of the group's and brings its sessions in line. @throws NotFound, VALIDATION_ERROR */
export const replaceRules = async (tx: Tx, groupId: string, { schedules }: NewSchedule): Promise<Rule[]> => {
  const group = await lockRow(tx, groupRecord, groupId)
  const overlap = overlappingRules(schedules)
  if (overlap) throw invalid(['schedules', overlap[1]], `Must not overlap with rule ${overlap[0]} of the group.`)
  const before = await showRules(tx.db, groupId)
  await tx.db.deleteFrom('schedule_rule').where('group_id', '=', groupId).execute()
  if (schedules.length > 0) {
    await tx.db
      .insertInto('schedule_rule')
      .values(
        schedules.map((rule) => ({
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
  const { created, removedSessions } = await alignSessions(tx, group, { before, after: schedules })
  const after = await showRules(tx.db, groupId)
  tx.audit({
    entityType: 'group',
    entityId: groupId,
    before: { schedules: before, removedSessions: removedSessions.map((row) => toSession({ ...row, given_by: null })) },
    after: { schedules: after },
    metadata: { createdSessions: created, removedSessions: removedSessions.length },
  })
  return after
}
