import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Segments } from '../../parts/choose.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, numberOf, useForm } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { MoneyField } from '../../parts/money-field.tsx'
import { RecordChoice, useRecords, type RecordSource } from '../../parts/record-choice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { readCourses } from '../../records/course/reads.ts'
import { readGroups } from '../../records/group/reads.ts'

interface Charged {
  id: string
  label: string
  name: string
  target: { courseId: string } | { groupId: string }
  /** What it costs to learn there, until somebody types another amount. */
  feeMinor: number | null
  currency: Schemas['NewFeeSchedule']['currency']
}

/** Whom a fee can be charged for: all groups of a course, or one of them. */
const useChargedSource = (): RecordSource<Charged> => {
  const { invoices: words } = useWords()
  const { can } = useMe()
  return {
    key: ['/groups', 'charged', can('courses.read'), can('groups.read')],
    read: async (q, signal) => {
      const asked = { limit: 50, ...(q !== '' && { q }) }
      const [courses, groups] = await Promise.all([
        can('courses.read') ? readCourses({ ...asked, isActive: true }, signal) : undefined,
        can('groups.read') ? readGroups({ ...asked, status: 'active' }, signal) : undefined,
      ])
      const data = [
        ...(courses?.data ?? []).map(({ id, name, defaultFeeMinor, currency }) => ({
          id,
          label: words.allGroupsOf(name),
          name,
          target: { courseId: id },
          feeMinor: defaultFeeMinor,
          currency,
        })),
        ...(groups?.data ?? []).map(({ id, name, courseName, feeMinor, currency }) => ({
          id,
          label: words.groupOf(name, courseName),
          name: `${name}, ${courseName}`,
          target: { groupId: id },
          feeMinor,
          currency,
        })),
      ]
      return { data, nextCursor: courses?.nextCursor ?? groups?.nextCursor ?? null }
    },
    optionOf: ({ id, label }) => ({ id, label }),
  }
}

/** Adds a fee that runs charge: the amount is asked for, all else is proposed. */
export const NewFee = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
  const { invoices: words } = useWords()
  return (
    <Sheet title={words.newFee} isOpen={isOpen} onClose={onClose}>
      <Proposed onClose={onClose} />
    </Sheet>
  )
}

/** Where there is one thing to charge for, it is chosen. */
const Proposed = ({ onClose }: { onClose: () => void }) => {
  const charged = useRecords(useChargedSource())
  return (
    <Loaded query={charged}>
      {({ data: [first, ...others] }) => <FeeForm only={others.length === 0 ? first : undefined} onClose={onClose} />}
    </Loaded>
  )
}

const FeeForm = ({ only, onClose }: { only: Charged | undefined; onClose: () => void }) => {
  const { invoices: words } = useWords()
  const { institute } = useMe()
  const source = useChargedSource()
  const save = useChange('fee', (body: Schemas['NewFeeSchedule'], header) =>
    answer(api.POST('/fee-schedules', { body, params: { header } })),
  )
  const form = useForm({
    start: {
      charged: only ?? null,
      amountMinor: only?.feeMinor ?? null,
      recurrence: 'monthly' as 'monthly' | 'per_term',
      dueDay: '',
    },
    bounds: BOUNDS.NewFeeSchedule,
    missing: { amountMinor: words.feeMissing },
    wrong: { dueDay: words.noDay },
    rules: ({ charged }) => ({ charged: charged === null && words.chooseFeeFor }),
    send: async ({ charged, amountMinor, recurrence, dueDay }) => {
      if (charged === null) return
      const { name, target, currency } = charged
      await save.mutateAsync({
        ...target,
        name: name.slice(0, BOUNDS.NewFeeSchedule.name.maxLength),
        kind: 'per_group',
        recurrence,
        amountMinor: amountMinor ?? 0,
        currency,
        dueDay: numberOf(dueDay),
      })
      toast(words.feeSaved(name))
      onClose()
    },
  })
  const { charged } = form.typed
  return (
    <Form form={form} onCancel={onClose}>
      <RecordChoice
        label={words.feeFor}
        placeholder={words.chooseFeeFor}
        source={source}
        error={form.field('charged').error}
        value={charged?.id ?? null}
        onChange={(_, chosen) => form.set({ charged: chosen ?? null, amountMinor: chosen?.feeMinor ?? null })}
        autoFocus
      />
      <MoneyField
        label={words.feeAmount}
        currency={charged?.currency ?? institute.currency}
        {...form.field('amountMinor')}
      />
      <Segments
        label={words.feeEvery}
        {...form.field('recurrence')}
        options={[
          { id: 'monthly', label: words.everyMonth },
          { id: 'per_term', label: words.everyTerm },
        ]}
      />
      <Field
        label={words.feeDay}
        hint={words.feeDayHint}
        isOptional
        inputMode="numeric"
        isLtr
        {...form.field('dueDay')}
      />
    </Form>
  )
}
