import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Check } from '../../parts/choose.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useInstant } from '../../shell/now.ts'
import { ForeseenClashes } from '../../records/session/clashes.tsx'
import { useForeseen } from '../../records/session/reads.ts'
import { faultsOf, LessonTimes, timesOf, type TypedTimes } from '../../records/session/times.tsx'

/** As long as a lesson is until somebody types when it ends. */
const USUAL_MINUTES = 60

interface AddLessonProps {
  group: Schemas['Group']
  isOpen: boolean
  onClose: () => void
}

/** Adds one lesson beside the weekly times. */
export const AddLesson = ({ group, isOpen, onClose }: AddLessonProps) => {
  const { groups: words } = useWords()
  return (
    <Sheet title={words.addLessonTitle(group.name)} isOpen={isOpen} onClose={onClose}>
      <AddForm group={group} onClose={onClose} />
    </Sheet>
  )
}

const AddForm = ({ group, onClose }: Omit<AddLessonProps, 'isOpen'>) => {
  const { groups: words, week } = useWords()
  const format = useFormat()
  const { id, name, branchId, teacherStaffId, room, enrolledCount } = group
  const now = useInstant()
  const add = useChange('session', (body: Schemas['NewSession'], header) =>
    answer(api.POST('/groups/{id}/sessions', { params: { path: { id }, header }, body })),
  )
  const form = useForm<TypedTimes & { topic: string; notify: boolean }>({
    start: { date: format.today(), start: null, end: null, topic: '', notify: true },
    bounds: BOUNDS.NewSession,
    rules: (typed) => faultsOf(typed, week, format.zone),
    send: async ({ topic, notify }) => {
      if (!times) return
      await add.mutateAsync({
        scheduledStart: times.start,
        scheduledEnd: times.end,
        notify,
        ...(topic.trim() !== '' && { topic }),
      })
      toast(words.addedLesson(name, format.moment(times.start)))
      onClose()
    },
  })
  const times = timesOf(form.typed, format.zone)
  const foreseen = useForeseen(
    times && {
      branchId,
      times: [times],
      own: {},
      ...(teacherStaffId !== null && { teacherStaffId }),
      ...(room !== null && { room }),
    },
  )
  // Nobody is told of what is over.
  const isToCome = times === undefined || times.end > now
  const hearers = isToCome && (enrolledCount > 0 ? words.tellAll : teacherStaffId !== null && words.tellTeacher)
  return (
    <Form form={form} verb={words.addLesson} onCancel={onClose}>
      <LessonTimes form={form} lasts={USUAL_MINUTES} />
      <Field label={words.topic} isOptional {...form.field('topic')} />
      <div className="foreseen" role="status">
        {times && <ForeseenClashes foreseen={foreseen} free={week.free} />}
      </div>
      {hearers && (
        <div className="field">
          <Check {...form.check('notify')}>{hearers}</Check>
        </div>
      )}
    </Form>
  )
}
