import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { ReasonConfirm } from '../../parts/reason-confirm.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useReceipt } from './reads.ts'

interface TakeBackProps {
  /** Of the receipt. */
  id: string
  isOpen: boolean
  onClose: () => void
}

/** Takes back all that a receipt is for: whoever paid it holds one paper, and no half of it. */
export const TakeBack = ({ id, isOpen, onClose }: TakeBackProps) => {
  const { invoices: words, payment: till } = useWords()
  const format = useFormat()
  const receipt = useReceipt(id, !isOpen).data
  const reverse = useChange('payment', (reason: string, header) =>
    answer(api.POST('/receipts/{id}/reverse', { params: { path: { id }, header }, body: { reason } })),
  )
  if (!receipt) return null
  const { number, amount, method, receivedAt } = receipt
  return (
    <ReasonConfirm
      title={words.takeBackTitle(
        number,
        format.money(amount),
        till.methods[method] ?? '',
        format.date(format.dateOf(receivedAt)),
      )}
      verb={words.takeBack}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={async (reason) => {
        await reverse.mutateAsync(reason)
        toast(words.tookBack(number))
      }}
    >
      <p className="soft">{words.takeBackText}</p>
    </ReasonConfirm>
  )
}
