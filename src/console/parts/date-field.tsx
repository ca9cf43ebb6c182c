import { useState } from 'react'
import { Input } from 'react-aria-components/Input'
import { TextField } from 'react-aria-components/TextField'
import { useFormat, useWords } from '../words/language.tsx'
import { parseTypedDate } from '../../shared/typed.ts'
import { BelowField, fieldClass, FieldLabel, type FieldWords } from './field.tsx'

interface DateProps extends FieldWords {
  /** YYYY-MM-DD, or null while none is typed. */
  value: string | null
  /** @param typed what stands in the field: with no date, either nothing or what is none */
  onChange: (date: string | null, typed: string) => void
  autoFocus?: boolean
  /** Whether it lies behind us, as a birth: of a year in two digits, the century is the one that has it behind us. */
  isPast?: boolean
}

/** A date as people here write it: day, month, year. Takes other orders and digits of any script, and says what it understood. */
export const DateField = ({ value, onChange, autoFocus, isPast = false, ...words }: DateProps) => {
  const { shell } = useWords()
  const format = useFormat()
  // What is typed stays as it is while one types; it is written anew when one leaves the field.
  const [typed, setTyped] = useState<string>()
  const read = (text: string): string | undefined => parseTypedDate(text, isPast ? format.today() : undefined)
  const isUnclear = typed !== undefined && typed.trim() !== '' && read(typed) === undefined
  const [isLeft, setLeft] = useState(false)
  const error = isUnclear && isLeft ? shell.unknownDate : words.error
  return (
    <TextField
      className={fieldClass(isUnclear)}
      value={typed ?? (value === null ? '' : format.date(value))}
      inputMode="numeric"
      isInvalid={error !== undefined}
      validationBehavior="aria"
      autoComplete="off"
      onChange={(text) => {
        setTyped(text)
        setLeft(false)
        onChange(read(text) ?? null, text)
      }}
      onBlur={() => {
        setLeft(true)
        if (!isUnclear) setTyped(undefined)
      }}
      {...(autoFocus && { autoFocus: true })}
    >
      <FieldLabel {...words} />
      <Input className="input" dir="ltr" placeholder={shell.datePattern} />
      <BelowField {...words} error={error} />
    </TextField>
  )
}
