import * as v from 'valibot'
import { declareJob } from '#kernel/contract/job.ts'
import { jobKind } from '#kernel/contract/module.ts'

/** The messages that were sent, for the test. */
export const sent: string[] = []

/** Tells the office of absences: each change enqueues a job of its own, with one name. */
export const absencesJob = declareJob('example.absences', v.object({ names: v.array(v.string()) }))

const MOST_NAMES = 3

/**
 * `join` makes one payload of two. Jobs of one lane that are claimed together then share one run and one `finish`: the
 * office gets one message with three names instead of three messages.
 *
 * It returns undefined for two jobs that must run apart. When a shared run fails, each of its jobs runs again, alone.
 */
export const tellAbsences = jobKind(absencesJob, {
  join: (one, other) => {
    const names = [...one.names, ...other.names]
    return names.length > MOST_NAMES ? undefined : { names }
  },
  handle: async ({ payload: { names } }) => void sent.push(`Absent: ${names.join(', ')}`),
})
