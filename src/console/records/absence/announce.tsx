import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { DateField } from '../../parts/date-field.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

const startOf = (today: string): { from: string | null; to: string | null; reason: string } => ({
  from: today,
  to: null,
  reason: '',
})

interface AnnounceProps {
  studentId: string
  name: string
  /** What comes of it, for whoever announces it. */
  follows: string
  onClose: () => void
}

/** Somebody says that a student does not come: the office, or the family. */
export const AnnounceAbsence = ({ studentId, name, follows, onClose }: AnnounceProps) => {
  const { people: words } = useWords()
  const format = useFormat()
  const save = useChange('absence', (body: Schemas['NewAbsence'], header) =>
    answer(api.POST('/students/{id}/absences', { params: { path: { id: studentId }, header }, body })),
  )
  const form = useForm({
    start: startOf(format.today()),
    bounds: { ...BOUNDS.NewAbsence, to: {} },
    missing: { reason: words.absenceReasonMissing },
    rules: ({ from, to }) => ({
      // One day has no end of its own: what is wrong with it is said where it was typed.
      from: from !== null && to === null && from < format.today() && words.absencePast,
      to:
        from !== null &&
        to !== null &&
        ((to < from && words.absenceEndFirst) || (to < format.today() && words.absencePast)),
    }),
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
        <p className="soft">{follows}</p>
      </Form>
    </Sheet>
  )
}
