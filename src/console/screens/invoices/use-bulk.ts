import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useIntents } from '../../api/intents/use-intents.ts'
import { afterChange } from '../../api/queries.ts'

/** As many as one request takes. */
const A_SLICE = 500

/** Which of them it is done to, and why not to the others. */
export interface Outcome {
  done: readonly string[]
  refused: readonly { id: string; reason: string }[]
  /** Whose payers no message reaches. */
  unreached: readonly Schemas['Unreached'][]
}

const slicesOf = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / A_SLICE) }, (_, at) => ids.slice(at * A_SLICE, (at + 1) * A_SLICE))

/**
 * Issues many invoices, or reminds of them. Where the answer is lost on the way, sending the same again goes on with
 * those that have none yet.
 */
export const useBulk = (what: 'issue' | 'remind') => {
  const intents = useIntents()
  const [outcome, setOutcome] = useState<Outcome>()
  const [answered, setAnswered] = useState<readonly Outcome[]>([])
  /** @param toCall whether payers whom no message reaches go on the list to call */
  const send = async (ids: readonly string[], toCall = false): Promise<Outcome> => {
    const done = [...answered]
    for (const slice of slicesOf(ids).slice(done.length)) {
      // oxlint-disable-next-line no-await-in-loop -- the server works on one at a time
      done.push(
        await intents.once([...slice, String(toCall)], (header): Promise<Outcome> =>
          what === 'issue'
            ? answer(api.POST('/invoices/issue', { params: { header }, body: { ids: slice } }))
            : answer(api.POST('/invoices/remind', { params: { header }, body: { ids: slice, toCall } })),
        ),
      )
      setAnswered([...done])
    }
    const all = {
      done: done.flatMap((one) => one.done),
      refused: done.flatMap((one) => one.refused),
      unreached: done.flatMap((one) => one.unreached),
    }
    setAnswered([])
    setOutcome(all)
    await afterChange('invoice')
    return all
  }
  return { send, outcome, forget: () => setOutcome(undefined) }
}
