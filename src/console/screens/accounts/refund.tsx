import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Segments } from '../../parts/choose.tsx'
import { Field, LongField } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { MoneyField } from '../../parts/money-field.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { holderOf, type Holder } from './holder.ts'

const METHODS = ['cash', 'bank_transfer', 'cheque', 'card'] as const

interface Typed {
  amountMinor: number | null
  method: (typeof METHODS)[number]
  reference: string
  reason: string
}

interface RefundSheetProps {
  holder: Holder
  credit: Schemas['Money']
  onClose: () => void
}

/** Pays out what somebody has in credit. */
export const RefundSheet = ({ holder, credit, onClose }: RefundSheetProps) => {
  const { accounts: words, payment, shell } = useWords()
  const format = useFormat()
  const currency = credit.currency
  const save = useChange('credit', (body: Schemas['NewRefund'], header) =>
    answer(api.POST('/refunds', { params: { header }, body })),
  )
  const form = useForm<Typed>({
    start: { amountMinor: credit.amountMinor, method: 'cash', reference: '', reason: '' },
    bounds: BOUNDS.NewRefund,
    missing: { amountMinor: words.refundMissing, reason: shell.reasonMissing },
    refused: { amountMinor: words.refundMost(format.money(credit)) },
    send: async ({ amountMinor, method, reference, reason }) => {
      const refund = await save.mutateAsync({
        ...holderOf(holder),
        amountMinor: amountMinor ?? 0,
        currency,
        method,
        ...(reference.trim() !== '' && method !== 'cash' && { reference: reference.trim() }),
        reason: reason.trim(),
      })
      toast(words.refunded(format.money(refund.amount), refund.number))
      onClose()
    },
  })
  const { method } = form.typed
  return (
    <Sheet title={words.refundTitle(holder.name)} isOpen onClose={onClose}>
      <Form form={form} verb={words.refundVerb} onCancel={onClose}>
        <MoneyField
          label={words.refundAmount}
          hint={words.refundMost(format.money(credit))}
          currency={currency}
          isLarge
          autoFocus
          {...form.field('amountMinor')}
        />
        <Segments
          label={payment.method}
          isWide
          options={METHODS.map((id) => ({ id, label: payment.methods[id] }))}
          {...form.field('method')}
        />
        {method !== 'cash' && (
          <Field
            label={method === 'cheque' ? payment.cheque : payment.reference}
            isOptional
            isLtr
            {...form.field('reference')}
          />
        )}
        <LongField label={words.refundReason} {...form.field('reason')} />
      </Form>
    </Sheet>
  )
}
