import { useState } from 'react'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { explain, ProblemNotice } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import type { Settings } from './reads.ts'

type Term = Settings['terms'][number]

/** The terms of the year, by their first day. */
export const Terms = ({ settings: { terms, version } }: { settings: Settings }) => {
  const all = useWords()
  const { institute: words } = all
  const format = useFormat()
  const [isAdding, setAdding] = useState(false)
  // Whoever changed the list meanwhile is noticed by its version.
  const save = useChange('settings', (wanted: { terms: Term[]; version?: number }) =>
    answer(api.PATCH('/settings', { body: wanted })),
  )
  const remove = (term: Term) => {
    const left = terms.filter(({ startsOn }) => startsOn !== term.startsOn)
    const undo = () => save.mutate({ terms: [...terms] }, { onError: (error) => toast(explain(all, error)) })
    save.mutate({ terms: left, version }, { onSuccess: () => toast(words.termRemoved(term.name), undo) })
  }
  return (
    <Section
      title={words.terms}
      actions={
        <Button look="quiet" icon="plus" onPress={() => setAdding(true)}>
          {words.termAdd}
        </Button>
      }
    >
      {save.error && !isAdding && <ProblemNotice problem={save.error} />}
      <div className="card">
        {terms.length === 0 ? (
          <Empty>{words.termsNone}</Empty>
        ) : (
          <ul aria-label={words.terms}>
            {terms.map((term) => (
              <li key={term.startsOn}>
                <div className="row">
                  <span className="grow">
                    <bdi className="name">{term.name}</bdi>
                    <span className="about">{words.termFrom(format.date(term.startsOn))}</span>
                  </span>
                  <IconButton icon="cross" label={words.termRemove(term.name)} onPress={() => remove(term)} />
                </div>
              </li>
            ))}
          </ul>
        )}
      </div>
      {isAdding && (
        <NewTerm
          terms={terms}
          onClose={() => setAdding(false)}
          onSave={(term) => save.mutateAsync({ terms: [...terms, term], version })}
        />
      )}
    </Section>
  )
}

interface NewTermProps {
  terms: readonly Term[]
  onClose: () => void
  onSave: (term: Term) => Promise<unknown>
}

const NewTerm = ({ terms, onClose, onSave }: NewTermProps) => {
  const { institute: words } = useWords()
  const form = useForm<{ name: string; startsOn: string | null }>({
    start: { name: '', startsOn: null },
    bounds: BOUNDS.NewTerm,
    missing: { name: words.termNameMissing, startsOn: words.termDateMissing },
    rules: ({ startsOn }) => ({ startsOn: terms.some((term) => term.startsOn === startsOn) && words.termTaken }),
    send: async ({ name, startsOn }) => {
      await onSave({ name: name.trim(), startsOn: startsOn ?? '' })
      onClose()
    },
  })
  return (
    <Sheet title={words.termAdd} isOpen onClose={onClose}>
      <Form form={form} onCancel={onClose}>
        <Field label={words.termName} hint={words.termNameHint} {...form.field('name')} autoFocus />
        <DateField label={words.termStarts} {...form.field('startsOn')} />
      </Form>
    </Sheet>
  )
}
