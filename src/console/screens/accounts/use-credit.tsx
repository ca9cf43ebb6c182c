import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { holderOf, type Holder } from './holder.ts'

interface UseCreditProps {
  holder: Holder
  credit: Schemas['Money']
  isOpen: boolean
  onClose: () => void
}

/** Lets the credit pay what is open, first due first. */
export const UseCredit = ({ holder, credit, isOpen, onClose }: UseCreditProps) => {
  const { accounts: words } = useWords()
  const format = useFormat()
  const currency = credit.currency
  const apply = useChange('credit', (_: undefined, header) =>
    answer(api.POST('/accounts/apply', { params: { header }, body: { ...holderOf(holder), currency } })),
  )
  return (
    <Confirm
      title={words.spendTitle(format.money(credit), holder.name)}
      verb={words.spendVerb}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={async () => {
        const { allocations } = await apply.mutateAsync(undefined)
        const amountMinor = allocations.reduce((sum, { amount }) => sum + amount.amountMinor, 0)
        toast(amountMinor === 0 ? words.noneSpent : words.spent(format.money({ amountMinor, currency })))
      }}
    >
      <p className="soft">{words.spendText}</p>
    </Confirm>
  )
}
