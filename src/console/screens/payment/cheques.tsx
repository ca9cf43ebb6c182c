import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { ChequeSeries } from '../../records/cheque/series-form.tsx'
import { spread } from '../../../shared/allocate.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { PaidBy, type usePaying } from './paid-by.tsx'
import type { OpenInvoice } from './payer.ts'

interface ChequesProps {
  /** What they are for. */
  chosen: readonly OpenInvoice[]
  owed: number
  currency: Schemas['Currency']
  payer: ReturnType<typeof usePaying>
  onTaken: (receipt: Schemas['Receipt']) => void
  onLeave: () => void
}

/** Cheques that are brought for open invoices, or ahead of them. */
export const Cheques = ({ chosen, owed, currency, payer, onTaken, onLeave }: ChequesProps) => {
  const { cheques: words } = useWords()
  const format = useFormat()
  const take = useChange('cheque', (body: Schemas['NewCheques'], header) =>
    answer(api.POST('/cheques', { params: { header }, body })),
  )
  const money = (amountMinor: number) => format.money({ amountMinor, currency })
  return (
    <ChequeSeries
      owed={owed}
      currency={currency}
      before={<PaidBy {...payer} />}
      send={async (cheques, sum) => {
        const allocations = spread(chosen, Math.min(sum, owed))
        onTaken(await take.mutateAsync({ cheques, currency, allocations, ...payer.paidBy(sum > owed) }))
      }}
      difference={(sum) => (
        <>
          {sum > owed && <span className="soft">{words.above(money(sum - owed))}</span>}
          {sum < owed && <span className="soft">{words.below(money(owed - sum))}</span>}
        </>
      )}
      leave={{ verb: words.single, onLeave }}
    />
  )
}
