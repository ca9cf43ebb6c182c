import * as v from 'valibot'

/**
 * A job as whoever makes one knows it: its name, and the schema of what it carries. What runs it is declared where the
 * module lists it (`jobKind`), so that one module can make a job that another one runs.
 */
export interface Job<in out P extends object> {
  readonly name: string
  readonly payload: v.GenericSchema<P, P>
}

/** Declares a job, once. `payload` is kept as JSON, and held to its schema again when the job runs. */
export const declareJob = <P extends object>(name: string, payload: v.GenericSchema<P, P>): Job<P> => ({
  name,
  payload,
})

/** The payload of a job that needs to know nothing, such as those that the clock makes. */
export const noPayload = v.record(v.string(), v.never())
export type NoPayload = v.InferOutput<typeof noPayload>
