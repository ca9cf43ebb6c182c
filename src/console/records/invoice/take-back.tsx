import { answer, api, type Schemas } from '../../api/client.ts'
import { useIntents } from '../../api/intents/use-intents.ts'
import { Problem } from '../../api/problem.ts'
import { useChange } from '../../api/queries.ts'
import { ReasonConfirm } from '../../parts/reason-confirm.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

type Payment = Schemas['Payment']

interface TakeBackProps {
  payments: readonly Payment[]
  isOpen: boolean
  onClose: () => void
}

/** Takes payments back, one after the other. What was taken back before stays so. */
export const TakeBack = ({ payments, isOpen, onClose }: TakeBackProps) => {
  const { invoices: words, payment: till } = useWords()
  const format = useFormat()
  const intents = useIntents()
  const reverse = useChange('payment', async (reason: string) => {
    for (const { id } of payments) {
      const params = { path: { id } }
      const reversal = intents
        .of(id)
        .once(reason, (header) =>
          answer(api.POST('/payments/{id}/reverse', { params: { ...params, header }, body: { reason } })),
        )
      // oxlint-disable-next-line no-await-in-loop -- the first that is refused ends it
      await reversal.catch((error: unknown) => {
        // By somebody else, or by this page before something went wrong with another.
        if (!(error instanceof Problem && error.reason === 'already_reversed')) throw error
      })
    }
  })
  const [first] = payments
  if (!first) return null
  const sum = format.money({
    ...first.amount,
    amountMinor: payments.reduce((all, { amount }) => all + amount.amountMinor, 0),
  })
  return (
    <ReasonConfirm
      title={words.takeBackTitle(sum, till.methods[first.method] ?? '', format.date(format.dateOf(first.receivedAt)))}
      verb={words.takeBack}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={async (reason) => {
        await reverse.mutateAsync(reason)
        toast(words.tookBack(sum))
      }}
    >
      <p className="soft">{words.takeBackText}</p>
    </ReasonConfirm>
  )
}
