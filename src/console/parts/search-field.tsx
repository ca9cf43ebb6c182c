import { useEffect, useState } from 'react'
import { Input } from 'react-aria-components/Input'
import { TextField } from 'react-aria-components/TextField'
import { Icon } from './icon.tsx'
import { PAUSE_MILLIS } from './paused.ts'

interface SearchFieldProps {
  label: string
  /** What stands in the empty field where it has no room for the label. Default: the label. */
  hint?: string
  value: string
  /** Called when the typing pauses. */
  onChange: (value: string) => void
  autoFocus?: boolean
}

/** Narrows a list while one types. */
export const SearchField = ({ label, hint = label, value, onChange, autoFocus }: SearchFieldProps) => {
  const [typed, setTyped] = useState(value)
  /** What was told last: another value is somebody else's doing, who went back or cleared the filters. */
  const [told, setTold] = useState(value)
  if (told !== value) {
    setTold(value)
    if (value !== typed.trim()) setTyped(value)
  }
  useEffect(() => {
    if (typed.trim() === value) return undefined
    const timer = setTimeout(() => onChange(typed.trim()), PAUSE_MILLIS)
    return () => clearTimeout(timer)
  }, [typed, value, onChange])
  return (
    <TextField
      className="search-field"
      aria-label={label}
      type="search"
      autoComplete="off"
      value={typed}
      onChange={setTyped}
      maxLength={100}
      {...(autoFocus && { autoFocus: true })}
    >
      <Icon name="find" />
      <Input className="input" placeholder={hint} />
    </TextField>
  )
}
