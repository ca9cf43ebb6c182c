import type { ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { TextArea } from 'react-aria-components/TextArea'
import { TextField } from 'react-aria-components/TextField'
import { useState } from 'react'
import { useFirstWords } from '../shell/language.tsx'
import { Icon } from './icon.tsx'

/** The label, and what stands below a field: always these. */
export interface FieldWords {
  label: string
  /** What to type, where the label does not say it. */
  hint?: string
  /** What is wrong with what was typed; undefined: nothing is known to be. */
  error?: string
  isOptional?: boolean
  /** Whether the label is for ears only, because the same words stand beside the field. */
  isLabelUnseen?: boolean
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
        {hint}
      </Text>
    )}
    <FieldError className="error">{error}</FieldError>
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
  maxLength?: number
  /** Addresses, phone numbers and codes read from left to right in every language. */
  isLtr?: boolean
  placeholder?: string
  name?: string
}

/** One line of text. */
export const Field = (props: FieldProps) => (
  <TextField
    className="field"
    value={props.value}
    onChange={props.onChange}
    isInvalid={props.error !== undefined}
    validationBehavior="aria"
    type={props.type ?? 'text'}
    {...(props.name && { name: props.name })}
    {...(props.isRequired && { isRequired: true })}
    {...(props.autoFocus && { autoFocus: true })}
    {...(props.maxLength && { maxLength: props.maxLength })}
    {...(props.inputMode && { inputMode: props.inputMode })}
    autoComplete={props.autoComplete ?? 'off'}
  >
    <FieldLabel {...props} />
    <Input className="input" {...(props.isLtr && { dir: 'ltr' })} placeholder={props.placeholder} />
    <BelowField {...props} />
  </TextField>
)

interface TextFieldProps extends FieldWords {
  value: string
  onChange: (value: string) => void
  maxLength?: number
  autoFocus?: boolean
}

/** Several lines of text. */
export const LongField = ({ value, onChange, maxLength, autoFocus, ...words }: TextFieldProps) => (
  <TextField
    className="field"
    value={value}
    onChange={onChange}
    isInvalid={words.error !== undefined}
    validationBehavior="aria"
    {...(autoFocus && { autoFocus: true })}
    {...(maxLength && { maxLength })}
  >
    <FieldLabel {...words} />
    <TextArea />
    <BelowField {...words} />
  </TextField>
)

interface PasswordProps extends FieldWords {
  value: string
  onChange: (value: string) => void
  isNew?: boolean
  autoFocus?: boolean
}

export const PasswordField = ({ value, onChange, isNew = false, autoFocus, ...words }: PasswordProps) => {
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

/** A form that is sent by Enter in any of its fields. */
export const Form = ({ onSubmit, children, label }: { onSubmit: () => void; children: ReactNode; label?: string }) => (
  <form
    noValidate
    aria-label={label}
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
  >
    {children}
  </form>
)
