import type { KeyboardEvent, ReactNode, Ref } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { TextArea } from 'react-aria-components/TextArea'
import { TextField } from 'react-aria-components/TextField'
import { useState } from 'react'
import { useFirstWords } from '../words/language.tsx'
import { Icon } from './icon.tsx'
import { Told } from './told.tsx'

/** The label, and what stands below a field: always these. */
export interface FieldWords {
  label: string
  /** What to type, where the label does not say it. */
  hint?: ReactNode
  /** What is wrong with what was typed; undefined: nothing is known to be. */
  error?: string
  isOptional?: boolean
  /** Whether the label is for ears only, because the same words stand beside the field. */
  isLabelUnseen?: boolean
}

/** What comes along where cells of a table or a line of a document are pasted, and no server takes in one line. */
const NO_LINE = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
const NO_PROSE = /(?![\n\r\t])\p{Cc}/gu

/** The class of a field whose text is too long, or cannot be understood. `Form` does not send it. */
export const fieldClass = (isFaulty: boolean): string => (isFaulty ? 'field faulty' : 'field')

/**
 * What is wrong with a text: that it is too long, or what else is known. It stays whole: a field that cut what is pasted
 * would lose it without a word.
 */
const useFault = (value: string, error: string | undefined, maxLength: number | undefined) => {
  const { shell } = useFirstWords()
  const letters = value.trim().length
  const isTooLong = maxLength !== undefined && letters > maxLength
  return {
    error: isTooLong ? shell.tooLong(maxLength, letters) : error,
    className: fieldClass(isTooLong),
  }
}

export const FieldLabel = ({ label, isOptional, isLabelUnseen }: Omit<FieldWords, 'hint' | 'error'>) => {
  const { shell } = useFirstWords()
  return (
    <Label {...(isLabelUnseen && { className: 'unseen' })}>
      {label}
      {isOptional && <span className="optional"> ({shell.optional})</span>}
    </Label>
  )
}

export const BelowField = ({ hint, error }: Pick<FieldWords, 'hint' | 'error'>) => (
  <>
    {hint !== undefined && error === undefined && (
      <Text slot="description" className="hint">
        {typeof hint === 'string' ? <Told>{hint}</Told> : hint}
      </Text>
    )}
    <FieldError className="error">
      {error !== undefined && (
        <span>
          <Told>{error}</Told>
        </span>
      )}
    </FieldError>
  </>
)

interface FieldProps extends FieldWords {
  value: string
  onChange: (value: string) => void
  type?: 'text' | 'email' | 'tel' | 'url'
  inputMode?: 'text' | 'numeric' | 'decimal' | 'tel'
  autoComplete?: string
  autoFocus?: boolean
  isRequired?: boolean
  /** As many letters as the server takes, without the spaces around them. */
  maxLength?: number
  /** Addresses, phone numbers and codes read from left to right in every language. */
  isLtr?: boolean
  placeholder?: string
  name?: string
  /** By which it is found, where another page or a script looks for it. */
  id?: string
  /** What else describes it: the ids of elements. */
  describedBy?: string
}

/** One line of text. */
export const Field = (props: FieldProps) => {
  const { error, className } = useFault(props.value, props.error, props.maxLength)
  return (
    <TextField
      className={className}
      value={props.value}
      onChange={(text) => props.onChange(text.replaceAll(NO_LINE, ' '))}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      type={props.type ?? 'text'}
      {...(props.name && { name: props.name })}
      {...(props.id && { id: props.id })}
      {...(props.describedBy && { 'aria-describedby': props.describedBy })}
      {...(props.isRequired && { isRequired: true })}
      {...(props.autoFocus && { autoFocus: true })}
      {...(props.inputMode && { inputMode: props.inputMode })}
      autoComplete={props.autoComplete ?? 'off'}
    >
      <FieldLabel {...props} />
      <Input className="input" {...(props.isLtr && { dir: 'ltr' })} placeholder={props.placeholder} />
      <BelowField {...props} error={error} />
    </TextField>
  )
}

interface TextFieldProps extends FieldWords {
  value: string
  onChange: (value: string) => void
  maxLength?: number
  autoFocus?: boolean
  isLtr?: boolean
  id?: string
}

/** Enter is a new line here: with Ctrl it sends the form of a sheet. */
const sendSheet = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
  const { form } = event.currentTarget
  if (event.key !== 'Enter' || !event.ctrlKey || form === null || form.closest('[role=dialog]') === null) return
  event.stopPropagation()
  // Pages for families are of this too, and their browsers may have no requestSubmit.
  form.querySelector<HTMLButtonElement>('[type=submit]')?.click()
}

/** Several lines of text. */
export const LongField = ({ value, onChange, maxLength, autoFocus, isLtr, id, ...words }: TextFieldProps) => {
  const { error, className } = useFault(value, words.error, maxLength)
  return (
    <TextField
      className={className}
      value={value}
      onChange={(text) => onChange(text.replaceAll(NO_PROSE, ''))}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      {...(autoFocus && { autoFocus: true })}
      {...(id && { id })}
    >
      <FieldLabel {...words} />
      <TextArea {...(isLtr && { dir: 'ltr' })} onKeyDown={sendSheet} />
      <BelowField {...words} error={error} />
    </TextField>
  )
}

interface PasswordProps extends FieldWords {
  value: string
  onChange: (value: string) => void
  isNew?: boolean
  autoFocus?: boolean
  id?: string
}

export const PasswordField = ({ value, onChange, isNew = false, autoFocus, id, ...words }: PasswordProps) => {
  const { signIn } = useFirstWords()
  const [isShown, setShown] = useState(false)
  return (
    <TextField
      className="field"
      value={value}
      onChange={onChange}
      isInvalid={words.error !== undefined}
      validationBehavior="aria"
      type={isShown ? 'text' : 'password'}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      {...(id && { id })}
      {...(autoFocus && { autoFocus: true })}
    >
      <FieldLabel {...words} />
      <div className="with-button">
        <Input className="input" dir="ltr" />
        <AriaButton
          className="icon-button"
          aria-label={isShown ? signIn.hide : signIn.show}
          onPress={() => setShown(!isShown)}
        >
          <Icon name={isShown ? 'eyeOff' : 'eye'} />
        </AriaButton>
      </div>
      <BelowField {...words} />
    </TextField>
  )
}

interface FormProps {
  /** @param action the value of the button that was pressed; undefined: Enter in a field */
  onSubmit: (action?: string) => void
  children: ReactNode
  label?: string
  /** Whether `onSubmit` says itself what is wrong in any field, and sends nothing then. */
  checksItself?: boolean
  ref?: Ref<HTMLFormElement>
}

/**
 * Fields that are sent by Enter in any of them, unless one is too long or cannot be understood. What sends to the API is a
 * `Form` of `form.tsx`, which is made of this.
 */
export const Form = ({ onSubmit, children, label, checksItself = false, ref }: FormProps) => (
  <form
    ref={ref}
    noValidate
    aria-label={label}
    onSubmit={(event) => {
      event.preventDefault()
      const submitter = event.nativeEvent.submitter as HTMLButtonElement | null
      const faulty = event.currentTarget.querySelector<HTMLElement>('.faulty :is(input, textarea)')
      if (!faulty || checksItself) return onSubmit(submitter?.value || undefined)
      // It says what is wrong once it is left.
      faulty.blur()
      faulty.focus()
    }}
  >
    {children}
  </form>
)
