import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Choice, Segments } from '../../parts/choose.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, numberOf, useForm } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { MoneyField } from '../../parts/money-field.tsx'
import { RecordChoice, useRecords } from '../../parts/record-choice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useChargedSource, type Charged } from '../../records/enrollment/charged.ts'
import { FeeFollows } from './fee-follows.tsx'

type Fee = Schemas['FeeSchedule']

/** A fee that runs charge: a new one, of which all but the amount is proposed, or one that is changed. */
export const FeeSheet = ({ fee, onClose }: { fee: Fee | undefined; onClose: () => void }) => {
  const { fees: words } = useWords()
  return (
    <Sheet title={fee ? words.change(fee.name) : words.newFee} isOpen onClose={onClose}>
      {fee ? <FeeForm fee={fee} charged={undefined} onClose={onClose} /> : <Proposed onClose={onClose} />}
    </Sheet>
  )
}

/** Where there is one thing to charge for, it is chosen. */
const Proposed = ({ onClose }: { onClose: () => void }) => {
  const charged = useRecords(useChargedSource())
  return (
    <Loaded query={charged}>
      {({ data: [first, ...others] }) => (
        <FeeForm fee={undefined} charged={others.length === 0 ? first : undefined} onClose={onClose} />
      )}
    </Loaded>
  )
}

const startOf = (fee: Fee | undefined, charged: Charged | undefined) => ({
  charged: charged ?? null,
  name: fee?.name ?? '',
  price: fee?.price ?? 'enrollment',
  amountMinor: fee?.amount.amountMinor ?? charged?.feeMinor ?? null,
  recurrence: fee?.recurrence ?? 'monthly',
  proration: fee?.proration ?? 'none',
  validFrom: fee?.validFrom ?? null,
  validTo: fee?.validTo ?? null,
  dueDay: typeof fee?.dueDay === 'number' ? String(fee.dueDay) : '',
})
type Typed = ReturnType<typeof startOf>

const isBackwards = ({ validFrom, validTo }: Typed): boolean =>
  validFrom !== null && validTo !== null && validTo < validFrom

/** What both a new fee and a change of one say. */
const rulesOf = ({ price, amountMinor, recurrence, proration, validFrom, validTo, dueDay }: Typed) => ({
  price,
  amountMinor: amountMinor ?? 0,
  // A part of a term has no price.
  proration: recurrence === 'monthly' ? proration : ('none' as const),
  validFrom,
  validTo,
  dueDay: numberOf(dueDay),
})

const newFeeOf = (typed: Typed, { name, target, currency, feeMinor }: Charged): Schemas['NewFeeSchedule'] => ({
  ...target,
  ...rulesOf({ ...typed, amountMinor: typed.price === 'enrollment' ? feeMinor : typed.amountMinor }),
  name: name.slice(0, BOUNDS.NewFeeSchedule.name.maxLength),
  kind: 'per_group',
  recurrence: typed.recurrence,
  currency,
})

interface FeeFormProps {
  fee: Fee | undefined
  charged: Charged | undefined
  onClose: () => void
}

const FeeForm = ({ fee, charged: only, onClose }: FeeFormProps) => {
  const { fees: words } = useWords()
  const { institute } = useMe()
  const source = useChargedSource()
  const save = useChange('fee', async (typed: Typed, header) => {
    const { charged } = typed
    if (fee)
      return answer(api.PATCH('/fee-schedules/{id}', { params: { path: { id: fee.id } }, body: changesOf(typed) }))
    return charged && answer(api.POST('/fee-schedules', { body: newFeeOf(typed, charged), params: { header } }))
  })
  const form = useForm({
    start: () => startOf(fee, only),
    bounds: ({ price }) => ({ ...BOUNDS.NewFeeSchedule, name: {}, ...(price === 'enrollment' && { amountMinor: {} }) }),
    missing: { amountMinor: words.feeMissing },
    wrong: { dueDay: words.noDay },
    rules: (typed) => ({
      charged: !fee && typed.charged === null && words.chooseFeeFor,
      name: fee !== undefined && typed.name.trim() === '' && words.nameMissing,
      validTo: isBackwards(typed) && words.endFirst,
    }),
    send: async (typed) => {
      const saved = await save.mutateAsync(typed)
      if (saved) toast(fee || saved.chargedBy !== 'run' ? words.changed(saved.name) : words.feeSaved(saved.name))
      onClose()
    },
  })
  const { typed } = form
  const { charged, recurrence, price } = typed
  const isMonthly = recurrence === 'monthly'
  return (
    <Form form={form} onCancel={onClose}>
      {fee ? (
        <Field label={words.name} {...form.field('name')} />
      ) : (
        <RecordChoice
          label={words.feeFor}
          placeholder={words.chooseFeeFor}
          source={source}
          error={form.field('charged').error}
          value={charged?.id ?? null}
          onChange={(_, chosen) => form.set({ charged: chosen ?? null, amountMinor: chosen?.feeMinor ?? null })}
          autoFocus
        />
      )}
      <Segments
        label={words.price}
        {...form.field('price')}
        options={(['enrollment', 'schedule'] as const).map((id) => ({ id, label: words.prices[id] }))}
      />
      {price === 'schedule' ? (
        <MoneyField
          label={words.feeAmount}
          currency={fee?.amount.currency ?? charged?.currency ?? institute.currency}
          {...form.field('amountMinor')}
        />
      ) : (
        <p className="soft">{words.agreed}</p>
      )}
      {!fee && (
        <Segments
          label={words.feeEvery}
          {...form.field('recurrence')}
          options={[
            { id: 'monthly', label: words.everyMonth },
            { id: 'per_term', label: words.everyTerm },
            { id: 'once', label: words.once },
          ]}
        />
      )}
      {isMonthly && (
        <Choice
          label={words.proration}
          {...form.field('proration')}
          options={(['none', 'lessons', 'days'] as const).map((id) => ({ id, label: words.prorations[id] }))}
        />
      )}
      <div className="two">
        <DateField label={words.validFrom} isOptional {...form.field('validFrom')} />
        <DateField label={words.validTo} isOptional {...form.field('validTo')} />
      </div>
      <Field
        label={words.feeDay}
        hint={words.feeDayHint}
        isOptional
        inputMode="numeric"
        isLtr
        {...form.field('dueDay')}
      />
      <FeeFollows
        fee={fee}
        body={isBackwards(typed) ? undefined : fee ? changesOf(typed) : charged && newFeeOf(typed, charged)}
      />
    </Form>
  )
}

const changesOf = (typed: Typed): Schemas['FeeScheduleChanges'] => ({ ...rulesOf(typed), name: typed.name.trim() })
