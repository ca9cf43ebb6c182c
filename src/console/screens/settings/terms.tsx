import { useState } from 'react'
import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Field, Form } from '../../parts/field.tsx'
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
          problem={save.error}
          isBusy={save.isPending}
        />
      )}
    </Section>
  )
}

interface NewTermProps {
  terms: readonly Term[]
  onClose: () => void
  onSave: (term: Term) => Promise<unknown>
  problem: unknown
  isBusy: boolean
}

const NewTerm = ({ terms, onClose, onSave, problem, isBusy }: NewTermProps) => {
  const { institute: words, shell } = useWords()
  const [name, setName] = useState('')
  const [startsOn, setStartsOn] = useState<string | null>(null)
  const [isTried, setTried] = useState(false)
  const isTaken = terms.some((term) => term.startsOn === startsOn)
  const submit = async () => {
    setTried(true)
    if (name.trim() === '' || startsOn === null || isTaken || isBusy) return
    await onSave({ name: name.trim(), startsOn }).then(onClose, () => {})
  }
  const dateFault = () => {
    if (!isTried) return undefined
    return startsOn === null ? words.termDateMissing : isTaken ? words.termTaken : undefined
  }
  return (
    <Sheet title={words.termAdd} isOpen onClose={onClose}>
      <Form onSubmit={() => void submit()}>
        {problem !== null && problem !== undefined && <ProblemNotice problem={problem} />}
        <Field
          label={words.termName}
          hint={words.termNameHint}
          value={name}
          onChange={setName}
          error={isTried && name.trim() === '' ? words.termNameMissing : undefined}
          maxLength={100}
          autoFocus
        />
        <DateField label={words.termStarts} value={startsOn} onChange={setStartsOn} error={dateFault()} />
        <div className="actions">
          <Button onPress={onClose}>{shell.cancel}</Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {shell.save}
          </Button>
        </div>
      </Form>
    </Sheet>
  )
}
