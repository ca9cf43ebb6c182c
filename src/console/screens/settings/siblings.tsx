import { useState } from 'react'
import { answer, api } from '../../api/client.ts'
import { BOUNDS } from '../../api/bounds.ts'
import { useChange } from '../../api/queries.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, numberOf, useForm } from '../../parts/form.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { explain, ProblemNotice } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { percentOf } from '../../records/discount/percent.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import type { Settings } from './reads.ts'

type Step = Settings['siblingDiscounts'][number]

const { min: FIRST, max: LAST } = BOUNDS.NewSiblingDiscount.child

/** What is taken off for the second child of a payer, the third, and so on. */
export const Siblings = ({ settings: { siblingDiscounts: steps, version } }: { settings: Settings }) => {
  const all = useWords()
  const { discounts: words } = all
  const format = useFormat()
  const [isAdding, setAdding] = useState(false)
  const save = useChange('settings', (wanted: { siblingDiscounts: Step[]; version?: number }) =>
    answer(api.PATCH('/settings', { body: wanted })),
  )
  const remove = (step: Step) => {
    const siblingDiscounts = steps.filter(({ child }) => child !== step.child)
    const undo = () => save.mutate({ siblingDiscounts: [...steps] }, { onError: (error) => toast(explain(all, error)) })
    save.mutate({ siblingDiscounts, version }, { onSuccess: () => toast(words.stepRemoved, undo) })
  }
  return (
    <Section
      title={words.siblings}
      actions={
        <Button look="quiet" icon="plus" onPress={() => setAdding(true)}>
          {words.siblingsAdd}
        </Button>
      }
    >
      {save.error && !isAdding && <ProblemNotice problem={save.error} />}
      <div className="card">
        {steps.length === 0 ? (
          <Empty>{words.siblingsNone}</Empty>
        ) : (
          <ul aria-label={words.siblings}>
            {steps.map((step) => (
              <li key={step.child}>
                <div className="row">
                  <span className="grow name">{words.fromChild(step.child)}</span>
                  <bdi className="amount">{format.percent(step.percent / 100)}</bdi>
                  <IconButton icon="cross" label={words.stepRemove(step.child)} onPress={() => remove(step)} />
                </div>
              </li>
            ))}
          </ul>
        )}
      </div>
      <p className="soft below">{words.siblingsHint}</p>
      {isAdding && (
        <NewStep
          steps={steps}
          onClose={() => setAdding(false)}
          onSave={(step) => save.mutateAsync({ siblingDiscounts: [...steps, step], version })}
        />
      )}
    </Section>
  )
}

interface NewStepProps {
  steps: readonly Step[]
  onClose: () => void
  onSave: (step: Step) => Promise<unknown>
}

const NewStep = ({ steps, onClose, onSave }: NewStepProps) => {
  const { discounts: words } = useWords()
  const next = Math.max(FIRST, ...steps.map(({ child }) => child + 1))
  const form = useForm({
    start: { child: String(Math.min(next, LAST)), percent: '' },
    rules: ({ child, percent }) => {
      const number = numberOf(child) ?? Number.NaN
      const isFree = number >= FIRST && number <= LAST && !steps.some((step) => step.child === number)
      return { child: !isFree && words.childWrong, percent: percentOf(percent) === undefined && words.noPercent }
    },
    refused: { percent: words.noPercent },
    send: async ({ child, percent }) => {
      await onSave({ child: numberOf(child) ?? FIRST, percent: percentOf(percent) ?? 0 })
      onClose()
    },
  })
  return (
    <Sheet title={words.siblings} isOpen onClose={onClose}>
      <Form form={form} onCancel={onClose}>
        <Field label={words.child} inputMode="numeric" isLtr {...form.field('child')} />
        <Field
          label={words.percent}
          hint={words.percentHint}
          inputMode="decimal"
          isLtr
          {...form.field('percent')}
          autoFocus
        />
      </Form>
    </Sheet>
  )
}
