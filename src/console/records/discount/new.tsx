import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Choice, Segments } from '../../parts/choose.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { MoneyField } from '../../parts/money-field.tsx'
import { RecordChoice, type RecordSource } from '../../parts/record-choice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { percentOf } from './percent.ts'
import type { DiscountScope, Holder } from './reads.ts'

const REASONS = ['scholarship', 'staff', 'several', 'need', 'ahead', 'other'] as const
const EVERYTHING = 'everything'

interface Typed {
  kind: 'percent' | 'amount'
  percent: string
  amountMinor: number | null
  reason: (typeof REASONS)[number]
  label: string
  scope: DiscountScope | null
  validFrom: string | null
  validTo: string | null
}

interface NewDiscountProps {
  holder: Holder
  name: string
  /** What it may be for. */
  scopes: RecordSource<DiscountScope>
  onClose: () => void
}

/** A discount that is given: how much, what invoices call it, on what, and from when. */
export const NewDiscount = ({ holder, name, scopes, onClose }: NewDiscountProps) => {
  const { discounts: words } = useWords()
  const format = useFormat()
  const { institute } = useMe()
  const save = useChange('discount', (body: Schemas['NewDiscount'], header) =>
    answer(api.POST('/discounts', { params: { header }, body })),
  )
  const form = useForm<Typed>({
    start: {
      kind: 'percent',
      percent: '',
      amountMinor: null,
      reason: 'scholarship',
      label: words.reasons.scholarship,
      scope: null,
      // A month counts by its first day.
      validFrom: `${format.today().slice(0, 7)}-01`,
      validTo: null,
    },
    bounds: { label: BOUNDS.NewDiscount.label, validFrom: BOUNDS.NewDiscount.validFrom },
    missing: { label: words.labelMissing },
    rules: (typed) => ({
      percent: typed.kind === 'percent' && percentOf(typed.percent) === undefined && words.noPercent,
      amountMinor: typed.kind === 'amount' && !typed.amountMinor && words.amountMissing,
      validTo: typed.validFrom !== null && typed.validTo !== null && typed.validTo < typed.validFrom && words.endFirst,
    }),
    refused: { percent: words.noPercent },
    send: async ({ kind, percent, amountMinor, label, scope, validFrom, validTo }) => {
      const value = kind === 'percent' ? percentOf(percent) : amountMinor
      const body = { ...holder, ...scope?.target, kind, value: value ?? 0, label: label.trim() }
      await save.mutateAsync({ ...body, validFrom: validFrom ?? '', validTo })
      toast(words.added(label.trim()))
      onClose()
    },
  })
  const { kind, scope, reason } = form.typed
  return (
    <Sheet title={words.addFor(name)} isOpen onClose={onClose}>
      {'guardianId' in holder && <p className="soft">{words.ofPayer}</p>}
      <Form form={form} onCancel={onClose}>
        <Segments
          label={words.kind}
          {...form.field('kind')}
          options={(['percent', 'amount'] as const).map((id) => ({ id, label: words.kinds[id] }))}
        />
        {kind === 'percent' ? (
          <Field
            label={words.percent}
            hint={words.percentHint}
            inputMode="decimal"
            isLtr
            autoFocus
            {...form.field('percent')}
          />
        ) : (
          <MoneyField
            label={words.amount}
            hint={words.amountHint}
            currency={institute.currency}
            {...form.field('amountMinor')}
          />
        )}
        <Choice
          label={words.reason}
          value={reason}
          options={REASONS.map((id) => ({ id, label: words.reasons[id] }))}
          onChange={(id) => form.set({ reason: id, label: id === 'other' ? '' : words.reasons[id] })}
        />
        <Field label={words.label} {...form.field('label')} />
        <RecordChoice
          label={words.scope}
          source={scopes}
          first={[{ id: EVERYTHING, label: words.everything }]}
          value={scope?.id ?? EVERYTHING}
          onChange={(_, chosen) => form.set({ scope: chosen ?? null })}
        />
        <div className="two">
          <DateField label={words.from} {...form.field('validFrom')} />
          <DateField label={words.to} isOptional {...form.field('validTo')} />
        </div>
        <p className="soft">{words.daysHint}</p>
      </Form>
    </Sheet>
  )
}
