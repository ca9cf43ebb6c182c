import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { count, emptyableProse, id, list, orNull, pageQuery, ts, uuid } from '#kernel/values/schema.ts'

const MOST_WAITING = 500

const words = {
  groupId: 'The group.',
  groupName: 'What it is called.',
  studentId: 'The student who waits.',
  studentName: 'The name of the student.',
  note: 'What the office wrote about it; null: nothing.',
  position: 'The place in the row: who has the lowest is the first.',
  status: '`waiting`; `offered`: a place is kept until offerEndsAt; `lapsed`: an offer ran out without an answer.',
  offerEndsAt: 'Until when a place is kept for the student; null: none is offered.',
  entryIds: 'Everybody who waits for the group, the first one first.',
}

const writable = { note: v.optional(v.nullable(emptyableProse(500))) }

export const WaitingEntry = named(
  'WaitingEntry',
  v.object({
    id,
    groupId: id,
    studentId: id,
    studentName: v.string(),
    note: orNull(v.string()),
    position: count,
    status: v.picklist(['waiting', 'offered', 'lapsed']),
    offerEndsAt: orNull(ts),
    createdAt: ts,
  }),
  words,
)
export type WaitingEntry = v.InferOutput<typeof WaitingEntry>

export const NewWaitingEntry = named('NewWaitingEntry', v.object({ studentId: uuid, ...writable }), words)
export type NewWaitingEntry = v.InferOutput<typeof NewWaitingEntry>

export const WaitingOrder = named(
  'WaitingOrder',
  v.object({ entryIds: v.pipe(list(uuid), v.maxLength(MOST_WAITING, `Must be at most ${MOST_WAITING}.`)) }),
  words,
)

export const WaitingQuery = pageQuery({})
