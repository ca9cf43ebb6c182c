import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Choice, Segments } from '../../parts/choose.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { MoneyField } from '../../parts/money-field.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { plainDigits } from '../../../shared/typed.ts'
import { useCourses } from '../../records/course/reads.ts'
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
const useCharged = (isOff: boolean): Charged[] => {
  const { invoices: words } = useWords()
  const { can } = useMe()
  const courses = useCourses()
  const groups = useGet(
    ['/groups', 'active'],
    async (signal) => (await readGroups({ status: 'active', limit: 100 }, signal)).data,
    { isOff: isOff || !can('groups.read') },
  )
  return [
    ...(courses.data ?? []).map(({ id, name, defaultFeeMinor, currency }) => ({
      id,
      label: words.allGroupsOf(name),
      name,
      target: { courseId: id },
      feeMinor: defaultFeeMinor,
      currency,
    })),
    ...(groups.data ?? []).map(({ id, name, courseName, feeMinor, currency }) => ({
      id,
      label: words.groupOf(name, courseName),
      name: `${name}, ${courseName}`,
      target: { groupId: id },
      feeMinor,
      currency,
    })),
  ]
}

/** Adds a fee that runs charge: the amount is asked for, all else is proposed. */
export const NewFee = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
  const { invoices: words, shell } = useWords()
  const { institute } = useMe()
  const charged = useCharged(!isOpen)
  const [chosen, setChosen] = useState<string | null>(null)
  const [recurrence, setRecurrence] = useState<'monthly' | 'per_term'>('monthly')
  const [typedFee, setFee] = useState<number | null>()
  const [typedDay, setDay] = useState('')
  const [isTried, setTried] = useState(false)
  const forWhom = charged.find(({ id }) => id === chosen) ?? (charged.length === 1 ? charged[0] : undefined)
  const fee = typedFee === undefined ? (forWhom?.feeMinor ?? null) : typedFee
  const day = plainDigits(typedDay).trim()
  const isDay = day === '' || /^(?:[1-9]|[12]\d|3[01])$/.test(day)
  const save = useChange('fee', (body: Schemas['NewFeeSchedule'], header) =>
    answer(api.POST('/fee-schedules', { body, params: { header } })),
  )
  const submit = async () => {
    setTried(true)
    if (!forWhom || fee === null || !isDay || save.isPending) return
    const { name, target, currency } = forWhom
    const body = { name: name.slice(0, 150), kind: 'per_group' as const, recurrence, amountMinor: fee, currency }
    try {
      await save.mutateAsync({ ...body, ...target, dueDay: day === '' ? null : Number(day) })
    } catch {
      return
    }
    toast(words.feeSaved(name))
    setTried(false)
    setChosen(null)
    setFee(undefined)
    onClose()
  }
  return (
    <Sheet title={words.newFee} isOpen={isOpen} onClose={onClose}>
      <Form onSubmit={() => void submit()}>
        {save.error && <ProblemNotice problem={save.error} />}
        <Choice
          label={words.feeFor}
          placeholder={words.chooseFeeFor}
          options={charged.map(({ id, label }) => ({ id, label }))}
          value={forWhom?.id ?? null}
          onChange={(id) => {
            setChosen(id)
            setFee(undefined)
          }}
          error={isTried && !forWhom ? words.chooseFeeFor : undefined}
          autoFocus
        />
        <MoneyField
          label={words.feeAmount}
          currency={forWhom?.currency ?? institute.currency}
          value={fee}
          onChange={setFee}
          error={isTried && fee === null ? words.feeMissing : undefined}
        />
        <Segments
          label={words.feeEvery}
          value={recurrence}
          onChange={(next) => setRecurrence(next === 'per_term' ? next : 'monthly')}
          options={[
            { id: 'monthly', label: words.everyMonth },
            { id: 'per_term', label: words.everyTerm },
          ]}
        />
        <Field
          label={words.feeDay}
          hint={words.feeDayHint}
          isOptional
          value={typedDay}
          onChange={setDay}
          inputMode="numeric"
          isLtr
          error={isDay ? undefined : words.noDay}
        />
        <div className="actions">
          <Button onPress={onClose}>{shell.cancel}</Button>
          <Button type="submit" look="primary" isBusy={save.isPending}>
            {shell.save}
          </Button>
        </div>
      </Form>
    </Sheet>
  )
}
