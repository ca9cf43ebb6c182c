import { answer, api, type Schemas } from '../../api/client.ts'
import { NO_INTENT } from '../../api/intents/intent.ts'
import { useGet } from '../../api/queries.ts'
import { useFormat, useWords } from '../../words/language.tsx'

interface FeeFollowsProps {
  /** undefined: it is new. */
  fee: Schemas['FeeSchedule'] | undefined
  /** What would be saved; undefined or null: not yet. */
  body: Schemas['NewFeeSchedule'] | Schemas['FeeScheduleChanges'] | null | undefined
}

/** Whom a fee concerns and from when, and what a part of a month costs, as the server says. */
export const FeeFollows = ({ fee, body }: FeeFollowsProps) => {
  const { fees: words } = useWords()
  const format = useFormat()
  const { data } = useGet(
    ['/fee-schedules', 'rehearsal', fee?.id, body],
    (signal) =>
      fee
        ? answer(
            api.POST('/fee-schedules/{id}/rehearsal', {
              params: { path: { id: fee.id }, header: NO_INTENT },
              body: body as Schemas['FeeScheduleChanges'],
              signal,
            }),
          )
        : answer(
            api.POST('/fee-schedules/rehearsal', {
              params: { header: NO_INTENT },
              body: body as Schemas['NewFeeSchedule'],
              signal,
            }),
          ),
    { isOff: !body, keepsFormer: true, keptMillis: 1 },
  )
  if (!data) return null
  const { chargedBy, students, ownPrices, fromMonth, example } = data
  const isOwn = ownPrices > 0 && body?.price === 'schedule'
  return (
    <div className="notice info" role="status" aria-label={words.follows}>
      <div className="grow">
        <p>{chargedBy === 'run' ? words.concerns(students, format.month(fromMonth)) : words.chargedBy[chargedBy]}</p>
        {isOwn && <p>{words.ownPrices(ownPrices)}</p>}
        {example && (
          <p>
            {words.example(
              words.partOf[example.of](example.count, example.all),
              format.money(example.charged),
              format.money(example.full),
            )}
          </p>
        )}
      </div>
    </div>
  )
}
