import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Choice } from '../../parts/choose.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { pointsOf } from './points.ts'

export const KINDS = ['quiz', 'exam', 'homework', 'project', 'final'] as const

interface Typed {
  title: string
  kind: (typeof KINDS)[number]
  maxScore: string
  weight: string
  heldAt: string | null
}

interface ExamSheetProps {
  groupId: string
  /** undefined: a new one. */
  exam?: Schemas['Exam']
  onClose: () => void
  onSaved: (exam: Schemas['Exam']) => void
}

/** What an exam is called, how many points it has, and how much it counts. */
export const ExamSheet = ({ groupId, exam, onClose, onSaved }: ExamSheetProps) => {
  const { gradebook: words } = useWords()
  const format = useFormat()
  const add = useChange('exam', (body: Schemas['NewExam'], header) =>
    answer(api.POST('/groups/{groupId}/exams', { params: { path: { groupId }, header }, body })),
  )
  const change = useChange('exam', (body: Schemas['ExamChanges']) =>
    answer(api.PATCH('/exams/{id}', { params: { path: { id: exam?.id ?? '' } }, body })),
  )
  const form = useForm<Typed>({
    start: {
      title: exam?.title ?? '',
      kind: exam?.kind ?? 'exam',
      maxScore: String(exam?.maxScore ?? 100),
      weight: String(exam?.weight ?? 1),
      heldAt: exam ? exam.heldAt : format.today(),
    },
    bounds: { title: BOUNDS.NewExam.title },
    missing: { title: words.titleMissing },
    rules: ({ maxScore, weight }) => ({
      maxScore: pointsOf(maxScore) === undefined && words.noNumber,
      weight: pointsOf(weight) === undefined && words.noNumber,
    }),
    refusals: { scores_above_max: 'maxScore' },
    send: async ({ title, kind, maxScore, weight, heldAt }) => {
      const numbers = { maxScore: pointsOf(maxScore) ?? 0, weight: pointsOf(weight) ?? 1 }
      const body = { title: title.trim(), kind, ...numbers, heldAt }
      onSaved(await (exam ? change : add).mutateAsync(body))
    },
  })
  return (
    <Sheet title={exam ? words.editOf(exam.title) : words.add} isOpen onClose={onClose}>
      <Form form={form} onCancel={onClose}>
        <Field label={words.name} hint={words.nameHint} autoFocus {...form.field('title')} />
        <Choice
          label={words.kind}
          options={KINDS.map((id) => ({ id, label: words.kinds[id] }))}
          {...form.field('kind')}
        />
        <DateField label={words.day} isOptional {...form.field('heldAt')} />
        <Field label={words.most} inputMode="decimal" isLtr {...form.field('maxScore')} />
        <Field label={words.weight} hint={words.weightHint} inputMode="decimal" isLtr {...form.field('weight')} />
      </Form>
    </Sheet>
  )
}
