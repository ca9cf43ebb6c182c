import { useState } from 'react'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

type Absence = Schemas['Absence']

/** The absences of a student that are announced for today and later, and the way to announce one. */
export const Absences = ({ studentId, name }: { studentId: string; name: string }) => {
  const all = useWords()
  const { people: words } = all
  const format = useFormat()
  const { can, institute } = useMe()
  const [isOpen, setOpen] = useState(false)
  // A row is gone once it is taken back, and with it what it would say.
  const withdraw = useChange('absence', (id: string) =>
    answer(api.DELETE('/absences/{id}', { params: { path: { id } } })),
  )
  const takeBack = (id: string) =>
    withdraw.mutate(id, {
      onSuccess: () => toast(words.withdrawn),
      onError: (error) => toast(explain(all, error)),
    })
  const { data } = useGet(['/students', studentId, 'absences'], (signal) =>
    answer(api.GET('/students/{id}/absences', { params: { path: { id: studentId } }, signal })),
  )
  const ahead = (data?.data ?? []).filter(({ to }) => to >= format.today())
  const mayAnnounce = can('students.write', 'attendance.mark') && !institute.isReadOnly
  return (
    <>
      {ahead.length > 0 && (
        <ul className="card" aria-label={words.absences}>
          {ahead.map((absence) => (
            <li key={absence.id}>
              <Row absence={absence} onWithdraw={mayAnnounce ? () => takeBack(absence.id) : undefined} />
            </li>
          ))}
        </ul>
      )}
      {mayAnnounce && (
        <div className="actions below">
          <Button icon="plus" onPress={() => setOpen(true)}>
            {words.announce}
          </Button>
        </div>
      )}
      {isOpen && <Announce studentId={studentId} name={name} onClose={() => setOpen(false)} />}
    </>
  )
}

interface RowProps {
  absence: Absence
  /** undefined: the reader may not take it back. */
  onWithdraw: (() => void) | undefined
}

const Row = ({ absence: { from, to, reason }, onWithdraw }: RowProps) => {
  const { people: words } = useWords()
  const format = useFormat()
  return (
    <div className="row">
      <span className="grow">
        <bdi className="name">{reason}</bdi>
        <span className="about">
          <Dotted>{from === to ? format.longDate(from) : format.range(from, to)}</Dotted>
        </span>
      </span>
      {onWithdraw && <Button onPress={onWithdraw}>{words.withdraw}</Button>}
    </div>
  )
}

const startOf = (today: string): { from: string | null; to: string | null; reason: string } => ({
  from: today,
  to: null,
  reason: '',
})

const Announce = ({ studentId, name, onClose }: { studentId: string; name: string; onClose: () => void }) => {
  const { people: words } = useWords()
  const format = useFormat()
  const save = useChange('absence', (body: Schemas['NewAbsence'], header) =>
    answer(api.POST('/students/{id}/absences', { params: { path: { id: studentId }, header }, body })),
  )
  const form = useForm({
    start: startOf(format.today()),
    bounds: { ...BOUNDS.NewAbsence, to: {} },
    missing: { reason: words.absenceReasonMissing },
    rules: ({ from, to }) => ({ to: from !== null && to !== null && to < from && words.absenceEndFirst }),
    send: async ({ from, to, reason }) => {
      const first = from ?? ''
      await save.mutateAsync({ from: first, to: to ?? first, reason: reason.trim() })
      toast(words.announced)
      onClose()
    },
  })
  return (
    <Sheet title={words.announceFor(name)} isOpen onClose={onClose}>
      <Form form={form} verb={words.announce} onCancel={onClose}>
        <div className="two">
          <DateField label={words.absentFrom} {...form.field('from')} />
          <DateField label={words.absentTo} hint={words.absentToHint} isOptional {...form.field('to')} />
        </div>
        <Field label={words.absenceReason} {...form.field('reason')} autoFocus />
        <p className="soft">{words.announceFollows}</p>
      </Form>
    </Sheet>
  )
}
