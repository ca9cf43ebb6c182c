import { parseTime } from '@internationalized/date'
import { DateInput, DateSegment, TimeField as AriaTimeField } from 'react-aria-components/TimeField'
import { BelowField, FieldLabel, type FieldWords } from './field.tsx'

interface TimeProps extends FieldWords {
  /** HH:MM, or null while none is typed. */
  value: string | null
  onChange: (time: string | null) => void
}

/** A time of the day, from 00:00 to 23:59. */
export const TimeField = ({ value, onChange, ...words }: TimeProps) => (
  <AriaTimeField
    className="field"
    value={value === null ? null : parseTime(value)}
    onChange={(time) => onChange(time === null ? null : time.toString().slice(0, 5))}
    hourCycle={24}
    isInvalid={words.error !== undefined}
    validationBehavior="aria"
    shouldForceLeadingZeros
  >
    <FieldLabel {...words} />
    <DateInput className="input date-input">
      {(segment) => <DateSegment segment={segment} className="segment" />}
    </DateInput>
    <BelowField {...words} />
  </AriaTimeField>
)
