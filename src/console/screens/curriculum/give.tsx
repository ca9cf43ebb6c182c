import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Segments } from '../../parts/choose.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { RecordChoice, type RecordSource } from '../../parts/record-choice.tsx'
import { toast } from '../../parts/toast.tsx'
import { readGroups } from '../../records/group/reads.ts'
import { FindStudent } from '../../records/student/find.tsx'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'

const groups: RecordSource<Schemas['Group']> = {
  key: ['/groups', 'choice'],
  read: (q, signal) => readGroups({ limit: 50, ...(q && { q }) }, signal),
  optionOf: ({ id, name, courseName }) => ({ id, label: name, about: courseName }),
}

/** Gives a course to students, one after the other, or to everybody who is in a group. */
export const GiveCourse = ({ courseId, onDone }: { courseId: string; onDone: () => void }) => {
  const { curriculum: words } = useWords()
  const { can } = useMe()
  const [to, setTo] = useState<'student' | 'group'>('student')
  return (
    <div className="give-course">
      <p className="soft">{words.giveFollows}</p>
      {can('groups.read') && (
        <Segments
          label={words.give}
          isLabelUnseen
          options={[
            { id: 'student', label: words.giveOne },
            { id: 'group', label: words.giveGroup },
          ]}
          value={to}
          onChange={setTo}
          isWide
        />
      )}
      <div>{to === 'group' ? <ToGroup courseId={courseId} onDone={onDone} /> : <ToStudent courseId={courseId} />}</div>
    </div>
  )
}

const ToStudent = ({ courseId }: { courseId: string }) => {
  const { curriculum: words, people } = useWords()
  const [givenIds, setGivenIds] = useState<readonly string[]>([])
  const give = useChange('grant', (studentId: string, header) =>
    answer(
      api.POST('/courses/{courseId}/enrollments', { params: { path: { courseId }, header }, body: { studentId } }),
    ),
  )
  return (
    <>
      {give.error && <ProblemNotice problem={give.error} />}
      <FindStudent
        label={people.search}
        none={people.noneFound}
        takenIds={givenIds}
        taken={words.has}
        isBusy={give.isPending}
        onChoose={({ id, fullName }) =>
          give.mutate(id, {
            onSuccess: () => {
              toast(words.given(fullName))
              setGivenIds((all) => [...all, id])
            },
          })
        }
      />
    </>
  )
}

const ToGroup = ({ courseId, onDone }: { courseId: string; onDone: () => void }) => {
  const { curriculum: words } = useWords()
  const [groupId, setGroupId] = useState<string | null>(null)
  const give = useChange('grant', (id: string, header) =>
    answer(api.POST('/groups/{id}/course-enrollments', { params: { path: { id }, header }, body: { courseId } })),
  )
  const told = ({ granted, unreached }: Schemas['GroupGrants']) => {
    toast(granted.length === 0 ? words.hadAll : words.givenMany(granted.length))
    if (unreached > 0) toast(words.unreached(unreached))
    onDone()
  }
  return (
    <>
      {give.error && <ProblemNotice problem={give.error} />}
      <RecordChoice
        label={words.group}
        hint={words.groupFollows}
        placeholder={words.chooseGroup}
        source={groups}
        value={groupId}
        onChange={setGroupId}
      />
      <div className="actions">
        <Button
          look="primary"
          isBusy={give.isPending}
          isDisabled={groupId === null}
          onPress={() => groupId !== null && give.mutate(groupId, { onSuccess: told })}
        >
          {words.giveToGroup}
        </Button>
      </div>
    </>
  )
}
