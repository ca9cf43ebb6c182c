import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import type { Bound } from '../api/bounds.ts'
import { isConflict, type SaveField } from '../api/versioned.ts'
import { Problem } from '../api/problem.ts'
import { useWords } from '../words/language.tsx'
import type { Words } from '../words/words.ts'
import { Button } from './button.tsx'
import { Choice, type Option } from './choose.tsx'
import { DateField } from './date-field.tsx'
import { Field, Form, LongField, type FieldWords } from './field.tsx'
import { faultOf } from './form.tsx'
import { Icon } from './icon.tsx'
import { MailAddress } from './mail-address.tsx'
import { explain } from './problem-notice.tsx'

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text)

/** `pastDate`: a date that lies behind us, as a birth. */
type Kind = 'text' | 'tel' | 'email' | 'url' | 'number' | 'date' | 'pastDate' | 'long'

interface ChoiceField extends FieldWords {
  value: string | null
  onChange: (id: string) => void
  autoFocus: boolean
  placeholder?: string
}

interface EditableProps {
  label: string
  /** '' where there is none. */
  value: string
  /** What stands there where there is none. */
  none?: string
  /** How the value is shown. Default: as it is. */
  shown?: ReactNode
  kind?: Kind
  /** One of these, and nothing that is typed. */
  options?: readonly Option<string>[]
  /** Draws the choice of one of many records, in place of `options`. */
  choice?: (field: ChoiceField) => ReactNode
  hint?: string
  /** What the API takes: `BOUNDS.GroupChanges.name`. */
  bound?: Bound
  /** What is said of a value that it does not take, where it is not the same everywhere. */
  wrong?: string
  /** What else is wrong with what was typed; undefined: nothing. */
  check?: (typed: string) => string | undefined
  /** Beside the value while it is not changed: a link that calls. */
  beside?: ReactNode
  /** undefined: the reader may not change it. */
  onSave: SaveField | undefined
}

const Shown = ({ value, shown, none, kind }: Pick<EditableProps, 'value' | 'shown' | 'none' | 'kind'>) => {
  const { edit } = useWords()
  if (value === '') return <span className="soft">{none ?? edit.none}</span>
  return shown ?? <bdi>{kind === 'email' ? <MailAddress of={value} /> : value}</bdi>
}

/**
 * One fact of a record, which is changed where it stands: click, type, Enter. Escape takes it back. What was typed stays
 * until it is saved or given up.
 */
export const Editable = (props: EditableProps) => {
  const { label, value, onSave } = props
  const { edit } = useWords()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (!isOpen && wasOpen.current) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return (
    <>
      <dt>{label}</dt>
      {/* An address breaks in ugly places. */}
      <dd className={props.kind === 'url' ? 'whole' : undefined}>
        {isOpen && onSave ? (
          <Editing {...props} onSave={onSave} onClose={() => setOpen(false)} />
        ) : onSave ? (
          <AriaButton ref={button} className="editable" onPress={() => setOpen(true)}>
            <span className={props.kind === 'long' ? 'long' : undefined}>
              <Shown value={value} shown={props.shown} none={props.none} kind={props.kind} />
            </span>
            <Icon name="edit" />
            <span className="unseen">{edit.change(label)}</span>
          </AriaButton>
        ) : (
          <span className={props.kind === 'long' ? 'fixed long' : 'fixed'}>
            <Shown value={value} shown={props.shown} none={props.none} kind={props.kind} />
          </span>
        )}
        {!isOpen && props.beside}
      </dd>
    </>
  )
}

/** What to say of a value that the server did not take. */
const notTaken = ({ edit, register }: Words, kind: Kind): string => {
  if (kind === 'tel') return register.faults.noPhone
  return kind === 'email' ? register.faults.noEmail : edit.notAccepted
}

interface EditingProps extends EditableProps {
  onSave: SaveField
  onClose: () => void
}

const Editing = (props: EditingProps) => {
  const { label, value, kind = 'text', options, choice, hint, bound = {}, check, onSave, onClose } = props
  const words = useWords()
  const { shell, edit } = words
  const [started] = useState(value)
  const [typed, setTyped] = useState(value)
  const [error, setError] = useState<string>()
  const [isConflicting, setConflicting] = useState(false)
  const [isBusy, setBusy] = useState(false)

  const fault = (wanted: string) =>
    faultOf(words, wanted, bound, { missing: props.wrong ?? edit.missing, wrong: props.wrong })
  const save = async (wanted: string) => {
    if (isBusy) return
    const isOfDate = kind === 'date' || kind === 'pastDate'
    const wrong = isOfDate && wanted !== '' && !isDate(wanted) ? shell.unknownDate : (fault(wanted) ?? check?.(wanted))
    setError(wrong)
    if (wrong !== undefined) return
    if (wanted === started && !isConflicting) return onClose()
    setBusy(true)
    try {
      // Whoever saves again has seen what the other wrote.
      await onSave(wanted, isConflicting ? value : started)
      onClose()
    } catch (problem) {
      setConflicting(isConflict(problem))
      if (!isConflict(problem)) {
        const isInvalid = problem instanceof Problem && problem.status === 422 && problem.reason === undefined
        setError(isInvalid ? notTaken(words, kind) : explain(words, problem))
      }
      setBusy(false)
    }
  }

  const shared = {
    label,
    isLabelUnseen: true,
    hint,
    error: isConflicting ? (value === '' ? edit.conflictEmpty : edit.conflict(value)) : error,
    autoFocus: true,
  }
  const isChoice = options !== undefined || choice !== undefined
  const field = () => {
    if (options || choice) {
      const choose = (id: string) => {
        setTyped(id)
        void save(id)
      }
      const placeholder = props.none !== undefined && { placeholder: props.none }
      const chosen = { ...shared, ...placeholder, value: typed === '' ? null : typed, onChange: choose }
      return choice ? choice(chosen) : <Choice {...chosen} options={options ?? []} />
    }
    if (kind === 'date' || kind === 'pastDate') {
      // What is no date is not taken for an empty field.
      const take = (date: string | null, text: string) => setTyped(date ?? text.trim())
      return <DateField {...shared} value={isDate(typed) ? typed : null} onChange={take} isPast={kind === 'pastDate'} />
    }
    if (kind === 'long') return <LongField {...shared} value={typed} onChange={setTyped} maxLength={bound.maxLength} />
    const isLtr = kind !== 'text'
    return (
      <Field
        {...shared}
        value={typed}
        onChange={setTyped}
        isLtr={isLtr}
        maxLength={bound.maxLength}
        type={kind === 'tel' || kind === 'email' || kind === 'url' ? kind : 'text'}
        {...(kind === 'number' && { inputMode: 'numeric' as const })}
      />
    )
  }
  return (
    // The keys are those of the fields within it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className="editing"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
        else if (event.key !== 'Enter' || isChoice) return
        else if (kind === 'long' && event.ctrlKey) event.currentTarget.querySelector('form')?.requestSubmit()
        else return
        event.preventDefault()
      }}
    >
      <Form onSubmit={() => void save(typed.trim())}>
        {field()}
        <div className="actions">
          {!isChoice && (
            <Button type="submit" look="primary" isBusy={isBusy}>
              {isConflicting ? edit.saveMine : shell.save}
            </Button>
          )}
          <Button look="quiet" onPress={onClose}>
            {shell.cancel}
          </Button>
        </div>
      </Form>
    </div>
  )
}
