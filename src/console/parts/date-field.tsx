import { parseDate } from '@internationalized/date'
import { DateField as AriaDateField, DateInput, DateSegment } from 'react-aria-components/DateField'
import { BelowField, FieldLabel, type FieldWords } from './field.tsx'

interface DateProps extends FieldWords {
  /** YYYY-MM-DD, or null while none is typed. */
  value: string | null
  onChange: (date: string | null) => void
  autoFocus?: boolean
}

/** A date as people here write it: day, month, year. */
export const DateField = ({ value, onChange, autoFocus, ...words }: DateProps) => (
  <AriaDateField
    className="field"
    value={value === null ? null : parseDate(value)}
    onChange={(date) => onChange(date === null ? null : date.toString())}
    isInvalid={words.error !== undefined}
    validationBehavior="aria"
    shouldForceLeadingZeros
    {...(autoFocus && { autoFocus: true })}
  >
    <FieldLabel {...words} />
    <DateInput className="input date-input">
      {(segment) => <DateSegment segment={segment} className="segment" />}
    </DateInput>
    <BelowField {...words} />
  </AriaDateField>
)
