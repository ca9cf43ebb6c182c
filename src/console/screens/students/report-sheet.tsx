import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { DateField } from '../../parts/date-field.tsx'
import { LongField } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

interface ReportSheetProps {
  student: Schemas['StudentDetail']
  isOpen: boolean
  onClose: () => void
}

/** Writes a draft over all groups of the student: the server computes attendance and results of the period. */
export const ReportSheet = ({ student, isOpen, onClose }: ReportSheetProps) => {
  const { reports: words } = useWords()
  return (
    <Sheet title={words.writeTitle(student.fullName)} isOpen={isOpen} onClose={onClose}>
      <ReportForm studentId={student.id} onClose={onClose} />
    </Sheet>
  )
}

const ReportForm = ({ studentId, onClose }: { studentId: string; onClose: () => void }) => {
  const { reports: words, shell } = useWords()
  const today = useFormat().today()
  const write = useChange('report', (body: Schemas['NewProgressReport'], header) =>
    answer(api.POST('/progress-reports', { params: { header }, body })),
  )
  const form = useForm<{ periodStart: string | null; periodEnd: string | null; comment: string }>({
    start: { periodStart: `${today.slice(0, 8)}01`, periodEnd: today, comment: '' },
    bounds: BOUNDS.NewProgressReport,
    missing: words.missing,
    rules: ({ periodStart, periodEnd }) => ({
      periodEnd: periodStart !== null && periodEnd !== null && periodEnd < periodStart && words.backwards,
    }),
    send: async ({ periodStart, periodEnd, comment }) => {
      const period = { periodStart: periodStart ?? '', periodEnd: periodEnd ?? '' }
      await write.mutateAsync({ studentId, ...period, comment: comment.trim() || null })
      toast(words.written)
      onClose()
    },
  })
  return (
    <Form form={form} verb={words.save} onCancel={onClose} cancelVerb={shell.leaveIt}>
      <DateField label={words.from} {...form.field('periodStart')} />
      <DateField label={words.to} {...form.field('periodEnd')} />
      <LongField label={words.comment} hint={words.commentHint} isOptional {...form.field('comment')} />
    </Form>
  )
}
