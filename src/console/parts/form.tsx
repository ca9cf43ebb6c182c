import { useEffect, useRef, useState, type ReactNode } from 'react'
import { plainDigits } from '../../shared/typed.ts'
import type { Bound } from '../api/bounds.ts'
import type { Code, Reason } from '../api/contract.d.ts'
import { Problem } from '../api/problem.ts'
import { useFirstWords, type KnownWords } from '../words/language.tsx'
import { Button } from './button.tsx'
import { Form as FieldsForm } from './field.tsx'
import { Notice } from './notice.tsx'
import { explain, ProblemNotice } from './problem-notice.tsx'

/** What is wrong with fields, in the reader's words; whatever is not a text stands for nothing. */
type Faults<T> = { readonly [Name in keyof T]?: string | false | null | undefined }

type Bounds<T> = { readonly [Name in keyof T]?: Bound }

/** What the server says of a field that it refuses. */
export interface Refusal {
  /** In English; '' where it says nothing of the field itself. */
  message: string
  reason: Reason | undefined
}

interface FormSettings<T> {
  /** What stands in the fields at first. */
  start: T | (() => T)
  /** What the API takes in them, as far as its fields have the same names: `BOUNDS.NewLead`, or by what is typed. */
  bounds?: Bounds<T> | ((typed: T) => Bounds<T>)
  /** What is said of a field that has to hold something, where it is not the same in every form. */
  missing?: string | { readonly [Name in keyof T]?: string }
  /** What is said of a value that the API does not take, where it is not the same in every form. */
  wrong?: { readonly [Name in keyof T]?: string }
  /** What is said of a field that the server refuses, where it is not the same in every form, or follows from the refusal. */
  refused?: { readonly [Name in keyof T]?: string | ((refusal: Refusal, typed: T) => string | undefined) }
  /** The field that a refusal without issues is about. */
  refusals?: { readonly [Name in Code | Reason]?: keyof T }
  /** What else is wrong with what was typed. Rules of the server are not repeated here: it says by itself what it refuses. */
  rules?: (typed: T) => Faults<T>
  /**
   * Sends what was typed, by `mutateAsync` of a `useChange`, and does what follows from it. What it throws is shown, and
   * what was typed stays.
   * @param action the value of the button that was pressed; undefined: the first, or Enter in a field
   */
  send: (typed: T, action: string | undefined) => Promise<unknown>
}

interface FieldState<V> {
  value: V
  onChange: (value: V) => void
  error?: string
  maxLength?: number
}

/** The names of the fields that hold such a value. */
type NamesOf<T, V> = { [Name in keyof T]: T[Name] extends V ? Name : never }[keyof T] & string

/** What `Form` needs to know of a form. */
interface FormState {
  submit: (action?: string) => void
  isBusy: boolean
  /** Why it was refused; undefined: it was not. */
  problem: unknown
  /** Whether fields say it all. */
  isToldAtFields: boolean
  /** How many tries have failed so far. */
  failures: number
}

export interface Fields<T> extends FormState {
  typed: T
  /** Changes several fields at once. */
  set: (changes: Partial<T>) => void
  /** What a field of this name is given: `<Field label={…} {...form.field('name')} />`. */
  field: <Name extends keyof T & string>(name: Name) => FieldState<T[Name]>
  /** The same for a `Check`. */
  check: (name: NamesOf<T, boolean>) => { isChecked: boolean; onChange: (isChecked: boolean) => void }
  /** Puts back what stood there at first, and forgets what was refused. */
  reset: () => void
  /** Whether somebody has tried to send it as it is: what is missing is said. */
  isTried: boolean
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

/** A whole number as people type it, in digits of any script. @returns null: nothing is typed; NaN: it is none */
export const numberOf = (typed: string): number | null => {
  const digits = plainDigits(typed).trim()
  if (digits === '') return null
  return /^\d{1,15}$/.test(digits) ? Number(digits) : Number.NaN
}

const EMAIL = /^\S+@\S+\.\S+$/

/** What the API would not take; undefined: nothing. */
export const faultOf = (
  { edit, faults, register, shell }: KnownWords,
  value: unknown,
  bound: Bound,
  { missing, wrong }: { missing: string; wrong: string | undefined },
): string | undefined => {
  const notAccepted = wrong ?? edit?.notAccepted ?? faults.invalid
  if (isEmpty(value)) return bound.isRequired ? missing : undefined
  const { minLength = 0, maxLength = Infinity, min = -Infinity, max = Infinity } = bound
  if (bound.isWhole) {
    const number = typeof value === 'string' ? numberOf(value) : Number(value)
    const isIn = number !== null && number >= min && number <= max
    return isIn ? undefined : ((typeof value === 'string' ? (wrong ?? edit?.notNumber) : undefined) ?? notAccepted)
  }
  if (typeof value !== 'string') return undefined
  const letters = value.trim().length
  if (letters > maxLength) return shell.tooLong(maxLength, letters)
  if (value.length < minLength) return notAccepted
  return bound.isEmail && !EMAIL.test(value.trim()) ? (wrong ?? register?.faults.noEmail ?? notAccepted) : undefined
}

/** What is said of a field that the server refuses: by a reason of its own, or as one of its issues. */
const refusedAs = (words: KnownWords, name: string, problem: unknown): string => {
  const { edit, faults, register } = words
  if (problem instanceof Problem && problem.issues.length === 0) return explain(words, problem)
  if (/phone$/i.test(name)) return register?.faults.noPhone ?? faults.invalid
  if (/email$/i.test(name)) return register?.faults.noEmail ?? faults.invalid
  return register?.notTaken ?? edit?.notAccepted ?? faults.invalid
}

/**
 * A form: what is typed, what is wrong with it, and the sending of it. What is wrong is said once somebody tried to send
 * it; what the server refuses, at its field, until somebody changes that.
 * @throws nothing: a failure of `send` is `problem`
 */
export const useForm = <T extends object>(settings: FormSettings<T>): Fields<T> => {
  const { missing, wrong, refused, refusals = {}, rules, send } = settings
  const words = useFirstWords()
  const [start] = useState(settings.start)
  const [typed, setTyped] = useState(start)
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failures, setFailures] = useState(0)
  const [problem, setProblem] = useState<unknown>()
  /** The fields that the server refused, and that nobody has changed since. */
  const [refusedFields, setRefusedFields] = useState<readonly string[]>([])

  const bounds: Bounds<T> = (typeof settings.bounds === 'function' ? settings.bounds(typed) : settings.bounds) ?? {}
  const missingAs = (name: keyof T): string =>
    (typeof missing === 'string' ? missing : missing?.[name]) ?? words.edit?.missing ?? words.faults.invalid
  const faultsOf = (): Partial<Record<keyof T, string>> => {
    const ruled = Object.entries(rules?.(typed) ?? {}).filter(([, fault]) => fault)
    const bounded = (Object.keys(bounds) as (keyof T & string)[])
      .filter((name) => name in typed)
      .map((name) => [
        name,
        faultOf(words, typed[name], bounds[name] ?? {}, { missing: missingAs(name), wrong: wrong?.[name] }),
      ])
    return Object.fromEntries([...bounded.filter(([, fault]) => fault !== undefined), ...ruled])
  }
  const faults = faultsOf()

  /** The fields that a problem is about. */
  const fieldsOf = (error: unknown): string[] => {
    if (!(error instanceof Problem)) return []
    const about = refusals[error.reason as Reason] ?? refusals[error.code as Code]
    if (about !== undefined) return [String(about)]
    return error.issues.flatMap(({ path }) => path.find((step) => step in typed) ?? [])
  }

  const fail = () => setFailures((count) => count + 1)
  const run = async (action: string | undefined) => {
    setBusy(true)
    setProblem(undefined)
    setRefusedFields([])
    try {
      await send(typed, action)
      setTried(false)
    } catch (error) {
      setProblem(error)
      setRefusedFields(fieldsOf(error))
      fail()
    } finally {
      setBusy(false)
    }
  }
  const refusedWords = (name: keyof T & string): string => {
    const own = refused?.[name]
    if (typeof own !== 'function') return own ?? refusedAs(words, name, problem)
    const { issues = [], reason } = problem instanceof Problem ? problem : {}
    const message = issues.find(({ path }) => path.includes(name))?.message ?? ''
    return own({ message, reason }, typed) ?? refusedAs(words, name, problem)
  }
  const set = (changes: Partial<T>) => {
    setTyped((now) => ({ ...now, ...changes }))
    setRefusedFields((names) => names.filter((name) => !(name in changes)))
  }
  const isToldAtFields =
    problem instanceof Problem && fieldsOf(problem).length > 0 && fieldsOf(problem).length >= problem.issues.length
  return {
    typed,
    isTried,
    isBusy,
    failures,
    problem,
    isToldAtFields,
    submit: (action) => {
      if (isBusy) return
      setTried(true)
      if (Object.keys(faults).length > 0) fail()
      else void run(action)
    },
    set,
    field: (name) => {
      const error =
        (isTried ? faults[name] : undefined) ?? (refusedFields.includes(name) ? refusedWords(name) : undefined)
      const maxLength = bounds[name]?.maxLength
      return {
        value: typed[name],
        onChange: (value) => set({ [name]: value } as unknown as Partial<T>),
        ...(error !== undefined && { error }),
        ...(maxLength !== undefined && { maxLength }),
      }
    },
    check: (name) => ({
      isChecked: Boolean(typed[name]),
      onChange: (isChecked) => set({ [name]: isChecked } as unknown as Partial<T>),
    }),
    reset: () => {
      setTyped(start)
      setTried(false)
      setProblem(undefined)
      setRefusedFields([])
    },
  }
}

interface FormProps {
  form: FormState
  label?: string
  children: ReactNode
  /** What the button does, as a verb. */
  verb?: string
  look?: 'primary' | 'danger' | 'plain'
  isDisabled?: boolean
  /** Beside the button: gives the form up. */
  onCancel?: () => void
  /** What that button says. Default: cancel. */
  cancelVerb?: string
  /** More buttons. */
  more?: ReactNode
  /** Whether the notice of a request that got no answer offers to send it again. */
  hasRetry?: boolean
  /** In place of the buttons, where they look or stand otherwise; null: they stand among the fields. */
  footer?: ReactNode
}

const FOCUSABLE = 'input:not([type=hidden]), textarea, button'

/**
 * Draws a form: what went wrong, its fields, its buttons. Enter in a field sends it. When a try fails, the first field that
 * is wrong has the focus. A refusal is said above the fields where none that is drawn is marked.
 */
export const Form = ({ form, label, children, footer, hasRetry = false, ...buttons }: FormProps) => {
  const ref = useRef<HTMLFormElement>(null)
  const words = useFirstWords()
  const { problem, isToldAtFields, failures, isBusy } = form
  const [isMarked, setMarked] = useState(true)
  useEffect(() => {
    if (failures === 0) return
    const wrong = ref.current?.querySelector('[data-invalid]')
    wrong?.querySelector<HTMLElement>(FOCUSABLE)?.focus()
    setMarked(wrong !== null)
  }, [failures])
  return (
    <FieldsForm ref={ref} onSubmit={form.submit} label={label}>
      {problem !== undefined && !isToldAtFields && (
        <ProblemNotice problem={problem} {...(hasRetry && { onRetry: () => form.submit() })} />
      )}
      {isToldAtFields && !isMarked && (
        <Notice meaning="bad" isAlert>
          <span className="grow">{refusedAs(words, '', problem)}</span>
        </Notice>
      )}
      {children}
      {footer === undefined ? <Buttons {...buttons} isBusy={isBusy} /> : footer}
    </FieldsForm>
  )
}

type ButtonsProps = Omit<FormProps, 'form' | 'label' | 'children' | 'footer' | 'hasRetry'> & { isBusy: boolean }

const Buttons = ({ verb, look = 'primary', isBusy, isDisabled, onCancel, cancelVerb, more }: ButtonsProps) => {
  const { shell } = useFirstWords()
  return (
    <div className="actions">
      {onCancel && <Button onPress={onCancel}>{cancelVerb ?? shell.cancel}</Button>}
      <Button type="submit" look={look} isBusy={isBusy} isDisabled={isDisabled === true}>
        {verb ?? shell.save}
      </Button>
      {more}
    </div>
  )
}
