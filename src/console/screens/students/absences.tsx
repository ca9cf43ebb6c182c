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
  const { people: words } = useWords()
  const format = useFormat()
  const { can, institute } = useMe()
  const [isOpen, setOpen] = useState(false)
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
              <Row absence={absence} mayWithdraw={mayAnnounce} />
            </li>
          ))}
        </ul>
      )}
      {mayAnnounce && (
        <Button icon="plus" onPress={() => setOpen(true)}>
          {words.announce}
        </Button>
      )}
      {isOpen && <Announce studentId={studentId} name={name} onClose={() => setOpen(false)} />}
    </>
  )
}

const Row = ({ absence, mayWithdraw }: { absence: Absence; mayWithdraw: boolean }) => {
  const all = useWords()
  const { people: words } = all
  const format = useFormat()
  const { id, from, to, reason } = absence
  const withdraw = useChange('absence', () => answer(api.DELETE('/absences/{id}', { params: { path: { id } } })))
  return (
    <div className="row">
      <span className="grow">
        <bdi className="name">{reason}</bdi>
        <span className="about">
          <Dotted>{from === to ? format.longDate(from) : format.range(from, to)}</Dotted>
        </span>
      </span>
      {mayWithdraw && (
        <Button
          isBusy={withdraw.isPending}
          onPress={() =>
            withdraw.mutate(undefined, {
              onSuccess: () => toast(words.withdrawn),
              onError: (error) => toast(explain(all, error)),
            })
          }
        >
          {words.withdraw}
        </Button>
      )}
    </div>
  )
}

const Announce = ({ studentId, name, onClose }: { studentId: string; name: string; onClose: () => void }) => {
  const { people: words } = useWords()
  const format = useFormat()
  const save = useChange('absence', (body: Schemas['NewAbsence'], header) =>
    answer(api.POST('/students/{id}/absences', { params: { path: { id: studentId }, header }, body })),
  )
  const form = useForm({
    start: { from: format.today() as string | null, to: null as string | null, reason: '' },
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
