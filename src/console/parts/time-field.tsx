import { useState } from 'react'
import { Input } from 'react-aria-components/Input'
import { TextField } from 'react-aria-components/TextField'
import { useWords } from '../words/language.tsx'
import { parseTypedTime } from '../../shared/typed.ts'
import { BelowField, fieldClass, FieldLabel, type FieldWords } from './field.tsx'

interface TimeProps extends FieldWords {
  /** HH:MM; null: none, or none that can be understood, is typed. */
  value: string | null
  onChange: (time: string | null) => void
}

/** A time of the day: 16:30, 1630 and 16 are taken, in digits of any script. */
export const TimeField = ({ value, onChange, ...words }: TimeProps) => {
  const { shell } = useWords()
  // What is typed stays as it is while one types; it is written anew when one leaves the field.
  const [typed, setTyped] = useState<string>()
  const [isLeft, setLeft] = useState(false)
  const isUnclear = typed !== undefined && typed.trim() !== '' && parseTypedTime(typed) === undefined
  const error = isUnclear && isLeft ? shell.unknownTime : words.error
  return (
    <TextField
      className={fieldClass(isUnclear)}
      value={typed ?? value ?? ''}
      inputMode="numeric"
      isInvalid={error !== undefined}
      validationBehavior="aria"
      autoComplete="off"
      onChange={(text) => {
        setTyped(text)
        setLeft(false)
        onChange(parseTypedTime(text) ?? null)
      }}
      onBlur={() => {
        setLeft(true)
        if (!isUnclear) setTyped(undefined)
      }}
    >
      <FieldLabel {...words} />
      <Input className="input" dir="ltr" placeholder={shell.timePattern} />
      <BelowField {...words} error={error} />
    </TextField>
  )
}
