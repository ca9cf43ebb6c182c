import { useRef, useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { LongField } from '../../parts/field.tsx'
import { Notice } from '../../parts/notice.tsx'
import { explain, ProblemNotice } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { StudentChoice } from '../../records/student/find.tsx'
import { ClassList } from './class-list.tsx'

/** As many as are enrolled at once. */
const MOST = 200

interface Candidate {
  id: string
  name: string
  /** What tells those of one name apart. */
  number: string
}

interface EnrolManyProps {
  group: Schemas['Group']
  isOpen: boolean
  onClose: () => void
}

/** Enrols students in a group: found one by one, or from a list that is pasted. */
export const EnrolMany = ({ group, isOpen, onClose }: EnrolManyProps) => {
  const { groups: words } = useWords()
  return (
    <Sheet title={words.enrolTitle(group.name)} isOpen={isOpen} onClose={onClose} isBroad>
      <EnrolForm group={group} onClose={onClose} />
    </Sheet>
  )
}

/** Who was refused, by name. */
interface Refused {
  studentId: string
  name: string
  reason: Schemas['RefusedEnrollment']['reason']
}

const EnrolForm = ({ group, onClose }: Omit<EnrolManyProps, 'isOpen'>) => {
  const everything = useWords()
  const { groups: words, faults, refusals, shell, waiting } = everything
  const [chosen, setChosen] = useState<readonly Candidate[]>([])
  const [pasted, setPasted] = useState('')
  /** Whether the list is looked at, or was. */
  const [looking, setLooking] = useState<'now' | 'before'>()
  const [refused, setRefused] = useState<readonly Refused[]>([])
  const list = useRef<HTMLDivElement>(null)
  const enrol = useChange('enrollment', (studentIds: string[], header) =>
    answer(api.POST('/groups/{id}/enrollments', { params: { path: { id: group.id }, header }, body: { studentIds } })),
  )
  const add = (some: readonly Candidate[]) =>
    setChosen((all) => [...new Map([...all, ...some].map((student) => [student.id, student])).values()].slice(0, MOST))
  const show = (outcome: Schemas['Enrolled']) => {
    if (outcome.enrolled.length > 0) toast(words.enrolledMany(outcome.enrolled.length, group.name))
    const left = outcome.refused.map(({ studentId, reason }) => ({
      studentId,
      name: chosen.find(({ id }) => id === studentId)?.name ?? '',
      reason,
    }))
    setChosen([])
    setRefused(left)
    if (left.length === 0) onClose()
  }
  const wait = useChange('waiting', (studentId: string, header) =>
    answer(api.POST('/groups/{id}/waiting', { params: { path: { id: group.id }, header }, body: { studentId } })),
  )
  const withoutPlace = refused.filter(({ reason }) => reason === 'group_full')
  const putAll = async () => {
    try {
      for (const { studentId, name } of withoutPlace) {
        // oxlint-disable-next-line no-await-in-loop -- they wait in the order in which they were chosen
        await wait.mutateAsync(studentId)
        setRefused((before) => before.filter((one) => one.studentId !== studentId))
        toast(waiting.added(name, group.name))
      }
      if (withoutPlace.length === refused.length && chosen.length === 0) onClose()
    } catch (error) {
      toast(explain(everything, error))
    }
  }
  const free = group.capacity === null ? undefined : Math.max(0, group.capacity - group.enrolledCount)
  if (looking === 'now') {
    return <ClassList group={group} text={pasted} onBack={() => setLooking('before')} onDone={onClose} />
  }
  return (
    <>
      {enrol.error && <ProblemNotice problem={enrol.error} />}
      {refused.length > 0 && (
        <Notice meaning="warn" isAlert>
          <div className="grow">
            <b>{words.refusedMany(refused.length)}</b>
            <ul>
              {refused.map(({ name, reason }) => (
                <li key={name}>
                  <bdi>{name}</bdi>: {reason === 'not_found' ? faults.notFound : refusals.reasons[reason]}
                </li>
              ))}
            </ul>
            {withoutPlace.length > 0 && (
              <Button isBusy={wait.isPending} onPress={() => void putAll()}>
                {waiting.fullPut(withoutPlace.length)}
              </Button>
            )}
          </div>
        </Notice>
      )}
      <StudentChoice
        label={words.enrolFind}
        onChoose={({ id, label, about }) => add([{ id, name: label, number: about ?? '' }])}
      />
      <LongField
        label={words.paste}
        hint={words.pasteHint}
        isOptional
        // Back from the list, the keyboard lands here: the field on top would open what it finds.
        autoFocus={looking === 'before'}
        value={pasted}
        onChange={setPasted}
      />
      <div className="spaced">
        <Button isDisabled={pasted.trim() === ''} onPress={() => setLooking('now')}>
          {words.lookUp}
        </Button>
      </div>
      <div ref={list} tabIndex={-1}>
        {chosen.length > 0 && (
          <ul className="card chosen-students" aria-label={words.chosen}>
            {chosen.map((student) => (
              <li key={student.id}>
                <div className="row">
                  <span className="grow">
                    <bdi className="name">{student.name}</bdi>
                    <span className="about ltr-text">{student.number}</span>
                  </span>
                  <IconButton
                    icon="cross"
                    label={words.takeOff(student.name)}
                    onPress={() => {
                      // The button goes away: without this, the keyboard lands in the field on top, whose list opens.
                      list.current?.focus()
                      setChosen(chosen.filter(({ id }) => id !== student.id))
                    }}
                  />
                </div>
              </li>
            ))}
          </ul>
        )}
      </div>
      {free !== undefined && chosen.length > free && (
        <Notice meaning="warn">
          <span className="grow">{words.notEnough(free)}</span>
        </Notice>
      )}
      <div className="actions">
        <Button onPress={onClose}>{shell.close}</Button>
        <Button
          look="primary"
          isBusy={enrol.isPending}
          isDisabled={chosen.length === 0}
          onPress={() =>
            enrol.mutate(
              chosen.map(({ id }) => id),
              { onSuccess: show },
            )
          }
        >
          {chosen.length === 0 ? words.enrolMany : words.enrolVerb(chosen.length)}
        </Button>
      </div>
    </>
  )
}
