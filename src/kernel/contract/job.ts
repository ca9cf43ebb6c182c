import * as v from 'valibot'

/**
 * The part of a job that code needs to enqueue it: its name and the schema of its payload. The handler is declared
 * separately (`jobKind`), so that one module can enqueue a job that another module runs.
 */
export interface Job<in out P extends object> {
  readonly name: string
  readonly payload: v.GenericSchema<P, P>
}

/** Declares a job. The payload is stored as JSON and checked against the schema again before the job runs. */
export const declareJob = <P extends object>(name: string, payload: v.GenericSchema<P, P>): Job<P> => ({
  name,
  payload,
})

/** The payload of a job that takes none, for example a cron job. */
export const noPayload = v.record(v.string(), v.never())
export type NoPayload = v.InferOutput<typeof noPayload>

/** The states of a job that has not ended: it runs, or will run. */
export const UNENDED_STATES = ['queued', 'paused', 'running'] as const
