import { make } from './dom.ts'
import type { Text, Texts } from './words/index.ts'

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** One field of the form: its control with label and error. */
export interface Field {
  element: HTMLElement
  control: Control
  /** What was filled in, without blanks around it; undefined: nothing. */
  value(): string | undefined
  /** Shows an error, or takes it away. */
  fault(text: string | undefined): void
  /** The error that follows from the value alone. */
  check(): string | undefined
}

interface Declared {
  /** The path of the value in the registration. */
  path: string
  label: Text
  kind?: 'text' | 'tel' | 'email' | 'textarea' | 'select'
  required?: true
  autocomplete?: string
  maxLength?: number
  wide?: true
}

const PLAUSIBLE: Partial<Record<NonNullable<Declared['kind']>, [RegExp, Text]>> = {
  tel: [/\d.*\d.*\d.*\d.*\d/, 'badPhone'],
  email: [/^\S+@\S+\.\S+$/, 'badEmail'],
}

/** The error for a value that the server does not accept. */
const refusedText = (kind: Declared['kind'], texts: Texts): string => {
  const [, text] = (kind && PLAUSIBLE[kind]) ?? []
  return texts[text ?? 'badField']
}

const controlOf = ({ path, kind = 'text', required, autocomplete, maxLength }: Declared): Control => {
  const attributes = {
    id: path,
    name: path,
    'aria-describedby': `${path}-error`,
    'aria-required': required && 'true',
    autocomplete,
    maxlength: maxLength === undefined ? undefined : String(maxLength),
  }
  if (kind === 'textarea' || kind === 'select') return make(kind, attributes)
  // Numbers and addresses are written from left to right in every language.
  return make('input', { ...attributes, type: kind, dir: kind === 'text' ? undefined : 'ltr' })
}

export const fieldOf = (declared: Declared, texts: Texts): Field & { path: string; refused: string } => {
  const { path, label, kind, required, wide } = declared
  const control = controlOf(declared)
  const error = make('p', { id: `${path}-error`, class: 'error' })
  error.hidden = true
  const name = make('label', { for: path }, texts[label])
  if (!required) name.append(' ', make('small', {}, `(${texts.optional})`))
  const value = (): string | undefined => control.value.trim() || undefined
  return {
    path,
    element: make('div', { class: wide && 'wide' }, name, control, error),
    control,
    value,
    refused: refusedText(kind, texts),
    fault: (text) => {
      error.textContent = text ?? ''
      error.hidden = text === undefined
      if (text === undefined) control.removeAttribute('aria-invalid')
      else control.setAttribute('aria-invalid', 'true')
    },
    check: () => {
      const filled = value()
      if (filled === undefined) return required && texts.required
      const [plausible, text] = (kind && PLAUSIBLE[kind]) ?? []
      return plausible && text && !plausible.test(filled) ? texts[text] : undefined
    },
  }
}
