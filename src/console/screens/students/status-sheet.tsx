import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { NO_INTENT } from '../../api/intents/intent.ts'
import { queryClient, useChange, useGet } from '../../api/queries.ts'
import { DateField } from '../../parts/date-field.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { Consequences } from './consequences.tsx'

type Student = Schemas['StudentDetail']
type Change = Schemas['StudentStatusChange']

/** Changes how a student stands. */
export const useStatusChange = (studentId: string) =>
  useChange('student', async (body: Change, header) => {
    const saved = await answer(api.POST('/students/{id}/status', { params: { path: { id: studentId }, header }, body }))
    queryClient.setQueryData(['/students', studentId], saved)
    return saved
  })

interface StatusSheetProps {
  student: Student
  status: 'paused' | 'graduated' | 'withdrawn'
  onClose: () => void
}

interface Typed {
  pausedFrom: string | null
  pausedTo: string | null
  leftOn: string | null
  reason: string
}

const startOf = (today: string, student: Student): Typed => {
  const pauses = student.status === 'paused'
  return {
    pausedFrom: (pauses ? student.pausedFrom : null) ?? today,
    pausedTo: pauses ? student.pausedTo : null,
    leftOn: student.leftOn ?? today,
    reason: '',
  }
}

const isBackwards = ({ pausedFrom, pausedTo }: Typed): boolean =>
  pausedFrom !== null && pausedTo !== null && pausedTo < pausedFrom

/** What is sent; undefined: not yet, because a day is missing or before another. */
const bodyOf = (status: StatusSheetProps['status'], typed: Typed): Change | undefined => {
  const { pausedFrom, pausedTo, leftOn } = typed
  if (status !== 'paused') return leftOn === null ? undefined : { status, leftOn }
  if (pausedFrom === null || isBackwards(typed)) return undefined
  return { status, pausedFrom, ...(pausedTo !== null && { pausedTo }) }
}

/** From when a student pauses, or until when they are here; what follows from it stands below before it is done. */
export const StatusSheet = ({ student, status, onClose }: StatusSheetProps) => {
  const { standing: words, people } = useWords()
  const format = useFormat()
  const save = useStatusChange(student.id)
  const isPause = status === 'paused'
  const form = useForm({
    start: () => startOf(format.today(), student),
    bounds: { reason: { maxLength: BOUNDS.StudentStatusChange.reason.maxLength } },
    rules: (typed) => ({
      pausedFrom: isPause && typed.pausedFrom === null && words.dayMissing,
      pausedTo: isPause && isBackwards(typed) && words.endFirst,
      leftOn: !isPause && typed.leftOn === null && words.dayMissing,
    }),
    send: async (typed) => {
      const body = bodyOf(status, typed)
      if (!body) return
      const reason = typed.reason.trim()
      await save.mutateAsync({ ...body, ...(reason !== '' && { reason }) })
      toast(words.saved(student.fullName))
      onClose()
    },
  })
  const asked = bodyOf(status, form.typed)
  const rehearsal = useGet(
    ['/students', student.id, 'status', asked],
    (signal) => {
      const params = { path: { id: student.id }, header: NO_INTENT }
      return answer(api.POST('/students/{id}/status/rehearsal', { params, body: asked as Change, signal }))
    },
    { isOff: asked === undefined, keepsFormer: true, keptMillis: 1 },
  )
  return (
    <Sheet title={words.title[status](student.fullName)} isOpen onClose={onClose}>
      <Form form={form} verb={people.becomes[status]} look={isPause ? 'primary' : 'danger'} onCancel={onClose}>
        {isPause ? (
          <div className="two">
            <DateField label={words.from} {...form.field('pausedFrom')} />
            <DateField label={words.to} hint={words.toHint} isOptional {...form.field('pausedTo')} />
          </div>
        ) : (
          <DateField label={words.lastDay} hint={words.lastDayHint} {...form.field('leftOn')} />
        )}
        <Field label={words.reason} isOptional {...form.field('reason')} />
        {rehearsal.data && <Consequences of={rehearsal.data} isPause={isPause} isReading={rehearsal.isFetching} />}
        <p className="soft">{isPause ? words.pauseText : words.leaveText}</p>
      </Form>
    </Sheet>
  )
}
