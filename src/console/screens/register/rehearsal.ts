import { answer, api, type Schemas } from '../../api/client.ts'
import { isAnswered, NO_INTENT } from '../../api/intents/intent.ts'
import { pause } from '../../api/pause.ts'
import { Problem, type Issue } from '../../api/problem.ts'
import { queryClient, useGet } from '../../api/queries.ts'
import { useSettled } from '../../parts/settled.ts'

type Body = Schemas['NewRegistration']

/** What the server says of what is typed so far. */
export interface Rehearsal {
  /** Of what it says that. */
  asked: Body
  reply: Schemas['Registration']
  /** What is missing, or cannot be. */
  issues: readonly Issue[]
}

/** Long enough for the next letter of whoever types fast. */
const PAUSE_MILLIS = 300
/** It is about people: no longer than a page needs it. */
const KEPT_MILLIS = 10_000
const INTERNAL_ERROR = 500

/** A body without the field at this path. */
const without = (body: unknown, [name = '', ...rest]: readonly string[]): unknown => {
  if (typeof body !== 'object' || body === null) return body
  if (Array.isArray(body)) return body.map((one, at) => (String(at) === name ? without(one, rest) : one))
  const { [name]: part, ...others } = body as Record<string, unknown>
  return rest.length === 0 ? others : { ...others, [name]: without(part, rest) }
}

const ask = async (body: Body, signal?: AbortSignal): Promise<Schemas['Registration']> => {
  const asked = { ...body, dryRun: true }
  return answer(api.POST('/registrations', { params: { header: NO_INTENT }, body: asked, ...(signal && { signal }) }))
}

/** Of a field that cannot be, the rest is asked about without it. @throws Problem */
const rehearse = async (body: Body, signal?: AbortSignal): Promise<Rehearsal> => {
  try {
    const reply = await ask(body, signal)
    return { asked: body, reply, issues: reply.refusal?.issues ?? [] }
  } catch (error) {
    if (!(error instanceof Problem) || error.issues.length === 0) throw error
    const rest = error.issues.reduce<unknown>((all, { path }) => without(all, path), body) as Body
    const reply = await ask(rest, signal)
    const isNamed = ({ path }: Issue) => error.issues.some((named) => named.path.join('.') === path.join('.'))
    const others = (reply.refusal?.issues ?? []).filter((one) => !isNamed(one))
    return { asked: body, reply, issues: [...error.issues, ...others] }
  }
}

const keyOf = (body: Body) => ['/registrations', 'dry run', body] as const

/** Whether this is what the server says of the body. */
export const isOf = ({ asked }: Rehearsal, body: Body): boolean => JSON.stringify(asked) === JSON.stringify(body)

/** What is charged for: the groups, and the lines where they were changed. */
const chargedFor = ({ students: [student] }: Body): string => JSON.stringify([student?.groups, student?.lines])

/** The first invoices of the student, as the server would make them of this body; undefined: it has not said so yet. */
export const invoicesOf = (
  rehearsal: Rehearsal | undefined,
  body: Body,
): readonly Schemas['FirstInvoice'][] | undefined =>
  rehearsal && chargedFor(rehearsal.asked) === chargedFor(body) ? rehearsal.reply.students[0]?.invoices : undefined

/** What the server says of it, a moment after the typing stops. */
export const useRehearsal = (body: Body) => {
  const settled = useSettled(JSON.stringify(body), PAUSE_MILLIS)
  const asked = JSON.parse(settled) as Body
  return useGet(keyOf(asked), (signal) => rehearse(asked, signal), { keepsFormer: true, keptMillis: KEPT_MILLIS })
}

/** Whether an answer will come, some time: the way to the server is cut, or it asks to wait. */
const isToCome = (error: unknown): error is Problem =>
  error instanceof Problem && !isAnswered(error) && error.status !== INTERNAL_ERROR

/**
 * What the server says of it now, asked until an answer comes: somebody may have registered the same child meanwhile.
 * @param onNone called each time that none came
 * @throws Problem that refuses
 */
export const rehearseNow = async (body: Body, onNone: () => void): Promise<Rehearsal> => {
  const query = {
    queryKey: keyOf(body),
    queryFn: () => rehearse(body),
    staleTime: 0,
    gcTime: KEPT_MILLIS,
    retry: false,
  }
  for (;;) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- again until an answer comes
      return await queryClient.fetchQuery(query)
    } catch (error) {
      if (!isToCome(error)) throw error
      onNone()
      // oxlint-disable-next-line no-await-in-loop
      await pause((error.retryAfterSeconds ?? 1) * 1000)
    }
  }
}
