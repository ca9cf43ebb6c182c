import { useId } from 'react'
import { Field, type FieldWords } from './field.tsx'

interface ColorProps extends FieldWords {
  /** #rrggbb, or what was typed so far. */
  value: string
  onChange: (value: string) => void
  /** What the square is called, with which one picks a colour by eye. */
  pick: string
}

/** What the pages have where none is chosen. */
const USUAL = '#14675e'

export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

/** A colour: picked by eye, or typed as designers write it. */
export const ColorField = ({ value, onChange, pick, ...words }: ColorProps) => {
  const id = useId()
  return (
    <div className="color-field">
      <label className="unseen" htmlFor={id}>
        {pick}
      </label>
      <input
        id={id}
        type="color"
        className="color"
        value={isColor(value) ? value : USUAL}
        onChange={(event) => onChange(event.target.value)}
      />
      <Field {...words} value={value} onChange={onChange} isLtr maxLength={7} placeholder={USUAL} />
    </div>
  )
}
