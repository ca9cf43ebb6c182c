import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Check } from '../../parts/choose.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { TimeField } from '../../parts/time-field.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import type { Settings } from './reads.ts'

const WEEK = [0, 1, 2, 3, 4, 5, 6]

/** When no message goes out that can wait, in a sentence. */
export const Quiet = ({ settings }: { settings: Settings }) => {
  const { institute: words, shell } = useWords()
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  const { quietHours, quietDays } = settings
  const days = quietDays.weekdays.map((day) => format.longWeekday(day))
  const sentences = [
    quietHours === null ? undefined : words.quiet.between(quietHours.from, quietHours.to),
    days.length > 0 ? words.quiet.on(format.list(days)) : undefined,
    quietDays.onClosedDays ? words.quiet.onClosedDays : undefined,
  ].filter((sentence) => sentence !== undefined)
  return (
    <Section
      title={words.quiet.title}
      actions={
        <Button look="quiet" onPress={() => setOpen(true)}>
          {shell.edit}
        </Button>
      }
    >
      <div className="card padded">
        {sentences.length === 0 ? (
          <p>{words.quiet.none}</p>
        ) : (
          <>
            {sentences.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
            <p className="soft">{words.quiet.follows}</p>
          </>
        )}
      </div>
      {isOpen && <QuietForm settings={settings} onClose={() => setOpen(false)} />}
    </Section>
  )
}

const typedOf = ({ quietHours, quietDays }: Settings) => ({
  from: (quietHours?.from ?? '21:00') as string | null,
  to: (quietHours?.to ?? '07:00') as string | null,
  weekdays: quietDays.weekdays as readonly number[],
  onClosedDays: quietDays.onClosedDays,
})

const QuietForm = ({ settings, onClose }: { settings: Settings; onClose: () => void }) => {
  const { institute: words } = useWords()
  const format = useFormat()
  const [hasHours, setHours] = useState(settings.quietHours !== null)
  const save = useChange('settings', (body: Schemas['SettingsChanges']) => answer(api.PATCH('/settings', { body })))
  const form = useForm({
    start: typedOf(settings),
    bounds: {},
    missing: {},
    rules: ({ from, to, weekdays }) => ({
      from: hasHours && from === null && words.quiet.timeMissing,
      to: hasHours && (to === null ? words.quiet.timeMissing : to === from && words.quiet.sameTime),
      weekdays: weekdays.length === WEEK.length && words.quiet.oneDay,
    }),
    send: async ({ from, to, weekdays, onClosedDays }) => {
      const quietHours = hasHours && from !== null && to !== null ? { from, to } : null
      await save.mutateAsync({
        quietHours,
        quietDays: { weekdays: [...weekdays], onClosedDays },
        version: settings.version,
      })
      toast(words.quiet.saved)
      onClose()
    },
  })
  const { weekdays, onClosedDays } = form.typed
  const { error, onChange } = form.field('weekdays')
  return (
    <Sheet title={words.quiet.title} isOpen onClose={onClose}>
      <Form form={form} onCancel={onClose}>
        <p className="soft">{words.quiet.about}</p>
        <Check isChecked={hasHours} onChange={setHours}>
          {words.quiet.everyDay}
        </Check>
        {hasHours && (
          <div className="pair">
            <TimeField label={words.quiet.from} {...form.field('from')} />
            <TimeField label={words.quiet.to} {...form.field('to')} />
          </div>
        )}
        <fieldset className="plain pair">
          <legend>{words.quiet.wholeDays}</legend>
          {WEEK.map((day) => (
            <Check
              key={day}
              isChecked={weekdays.includes(day)}
              onChange={(isTicked) =>
                onChange(isTicked ? [...weekdays, day].toSorted() : weekdays.filter((one) => one !== day))
              }
            >
              {format.longWeekday(day)}
            </Check>
          ))}
          {error !== undefined && <p className="error">{error}</p>}
        </fieldset>
        <Check isChecked={onClosedDays} onChange={form.field('onClosedDays').onChange}>
          {words.quiet.closedDays}
        </Check>
      </Form>
    </Sheet>
  )
}
