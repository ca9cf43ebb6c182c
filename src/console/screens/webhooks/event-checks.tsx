import { Check } from '../../parts/choose.tsx'
import { useWords } from '../../words/language.tsx'
import { ALL_EVENTS, SUBJECTS, type EventType } from './events.ts'

interface EventChecksProps {
  value: readonly EventType[]
  onChange: (events: EventType[]) => void
  error?: string
}

/** What a program is told of: everything, all of a subject, or one by one. */
export const EventChecks = ({ value, onChange, error }: EventChecksProps) => {
  const { webhooks: words } = useWords()
  const set = (events: readonly EventType[], isOn: boolean) =>
    onChange(ALL_EVENTS.filter((one) => (events.includes(one) ? isOn : value.includes(one))))
  const checkOf = (events: readonly EventType[], label: string) => (
    <Check
      isChecked={events.every((one) => value.includes(one))}
      isPartly={events.some((one) => value.includes(one))}
      onChange={(isOn) => set(events, isOn)}
    >
      <b>{label}</b>
    </Check>
  )
  return (
    <fieldset className="branches" {...(error !== undefined && { 'data-invalid': true })}>
      <legend className="label">{words.what}</legend>
      {checkOf(ALL_EVENTS, words.all)}
      <div className="check-groups">
        {SUBJECTS.map(({ subject, events }) => (
          <div key={subject} role="group" aria-label={words.groups[subject]}>
            {checkOf(events, words.groups[subject])}
            <div className="sub-checks">
              {events.map((one) => (
                <Check key={one} isChecked={value.includes(one)} onChange={(isOn) => set([one], isOn)}>
                  {words.events[one]}
                </Check>
              ))}
            </div>
          </div>
        ))}
      </div>
      {error !== undefined && (
        <p className="error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
