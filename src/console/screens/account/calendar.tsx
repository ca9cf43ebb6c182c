import { useState } from 'react'
import { answer, api } from '../../api/client.ts'
import { ownAddress } from '../../api/own-address.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Copied } from '../../parts/copied.tsx'
import { Section } from '../../parts/page.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'

/** The person's lessons in the calendar of their own phone. */
export const Calendar = () => {
  const { account } = useWords()
  const { calendar } = account
  const { data } = useGet(['/me/calendar'], (signal) => answer(api.GET('/me/calendar', { signal })))
  const make = useChange('calendar', (_, header) => answer(api.POST('/me/calendar', { params: { header } })))
  const end = useChange('calendar', () => answer(api.DELETE('/me/calendar')))
  const [isEnding, setEnding] = useState(false)
  if (!data) return null
  const { url } = data
  return (
    <Section title={calendar.title}>
      <div className="card padded">
        <p className="small spaced">{calendar.about}</p>
        {url === null ? (
          <div className="actions">
            <Button isBusy={make.isPending} onPress={() => make.mutate()}>
              {calendar.make}
            </Button>
          </div>
        ) : (
          <>
            <Copied label={calendar.address} hint={calendar.hint} text={location.origin + ownAddress(url)} />
            <div className="actions">
              <Button onPress={() => setEnding(true)}>{calendar.end}</Button>
            </div>
          </>
        )}
      </div>
      <Confirm
        title={calendar.endTitle}
        verb={calendar.end}
        isOpen={isEnding}
        onClose={() => setEnding(false)}
        onConfirm={async () => {
          await end.mutateAsync()
          toast(calendar.ended)
        }}
      >
        <p>{calendar.endText}</p>
      </Confirm>
    </Section>
  )
}
