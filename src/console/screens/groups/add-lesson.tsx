import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Check } from '../../parts/choose.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useInstant } from '../../shell/now.ts'
import { ForeseenClashes } from '../../records/session/clashes.tsx'
import { useForeseen } from '../../records/session/reads.ts'
import { LessonTimes, timesOf, type TypedTimes } from '../../records/session/times.tsx'

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
  const { groups: words, week, shell } = useWords()
  const format = useFormat()
  const { id, name, branchId, teacherStaffId, room, enrolledCount } = group
  const [typed, setTyped] = useState<TypedTimes>({ date: format.today(), start: null, end: null })
  const [topic, setTopic] = useState('')
  const [isTold, setTold] = useState(true)
  const now = useInstant()
  const [isTried, setTried] = useState(false)
  const add = useChange('session', (body: Schemas['NewSession'], header) =>
    answer(api.POST('/groups/{id}/sessions', { params: { path: { id }, header }, body })),
  )
  const times = timesOf(typed, format.zone)
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
  const submit = async () => {
    setTried(true)
    if (!times || add.isPending) return
    const body = {
      scheduledStart: times.start,
      scheduledEnd: times.end,
      notify: isTold,
      ...(topic.trim() !== '' && { topic }),
    }
    const added = await add.mutateAsync(body).catch(() => undefined)
    if (!added) return
    toast(words.addedLesson(name, format.moment(times.start)))
    onClose()
  }
  return (
    <Form onSubmit={() => void submit()}>
      {add.error && <ProblemNotice problem={add.error} />}
      <LessonTimes typed={typed} onChange={setTyped} lasts={USUAL_MINUTES} isTried={isTried} />
      <Field label={words.topic} isOptional value={topic} onChange={setTopic} maxLength={300} />
      <div className="foreseen" role="status">
        {times && <ForeseenClashes foreseen={foreseen} free={week.free} />}
      </div>
      {hearers && (
        <div className="field">
          <Check isChecked={isTold} onChange={setTold}>
            {hearers}
          </Check>
        </div>
      )}
      <div className="actions">
        <Button onPress={onClose}>{shell.cancel}</Button>
        <Button type="submit" look="primary" isBusy={add.isPending}>
          {words.addLesson}
        </Button>
      </div>
    </Form>
  )
}
