import * as v from 'valibot'
import { declareJob } from '#kernel/contract/job.ts'
import { laneIn } from '#kernel/contract/lane.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'

const lesson = v.object({ groupId: v.string(), start: v.string(), end: v.string() })

/** What people are told of a cover: whoever stands in, and families where that was asked for. */
export const coverNoticeJob = declareJob(
  'covers.notice',
  v.object({
    tenantId: v.string(),
    noticeId: v.string(),
    /** `given`, `lifted`: to whoever stands in. `families`: to the students of the groups and their guardians. */
    what: v.picklist(['given', 'lifted', 'families']),
    staffId: v.string(),
    substituteStaffId: v.string(),
    /** Who else stands in, where families are told of all at once. */
    otherSubstituteIds: v.optional(v.array(v.string()), []),
    from: v.string(),
    to: v.string(),
    /** The next of the lessons that are still to come. */
    lessons: v.array(lesson),
    /** How many there are. */
    count: v.number(),
    groupIds: v.array(v.string()),
    /** The last student who was told. */
    after: v.nullable(v.string()),
  }),
)
export type CoverNotice = v.InferOutput<typeof coverNoticeJob.payload>

/** So many lessons stand in a message one by one. */
const MOST_LESSONS = 20

interface Lesson {
  group_id: string
  scheduled_start: string
  scheduled_end: string
}

interface Told {
  staffId: string
  substituteStaffId: string
  otherSubstituteIds?: string[]
  from: string
  to: string
}

/** Enqueues a message of a cover, where one of the lessons, in order of time, is still to come. */
export const noticeCover = (
  tx: Tx,
  what: CoverNotice['what'],
  { otherSubstituteIds = [], ...cover }: Told,
  lessons: readonly Lesson[],
): void => {
  const coming = lessons.filter((one) => one.scheduled_end > tx.now)
  if (coming.length === 0) return
  const tenantId = tx.tenant.id
  tx.enqueue(
    coverNoticeJob,
    {
      tenantId,
      noticeId: tx.id(),
      what,
      ...cover,
      otherSubstituteIds,
      lessons: coming
        .slice(0, MOST_LESSONS)
        .map((one) => ({ groupId: one.group_id, start: one.scheduled_start, end: one.scheduled_end })),
      count: coming.length,
      groupIds: [...new Set(coming.map((one) => one.group_id))],
      after: null,
    },
    { lane: laneIn(tenantId, 'tell') },
  )
}
