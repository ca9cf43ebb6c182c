import { useRef, useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import type { Problem } from '../../api/problem.ts'
import { useChange } from '../../api/queries.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { LongField } from '../../parts/field.tsx'
import { Notice } from '../../parts/notice.tsx'
import { explain, ProblemNotice } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { StudentChoice } from '../../records/student/find.tsx'
import { lookUp, type Candidate, type LookedUp } from './look-up.ts'
import { linesOf, MOST_LINES } from './pasted.ts'
import { Unknown } from './unknown.tsx'

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

const optionOf = ({ id, name, number }: Candidate) => ({ id, label: name, about: number })

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
  const [unclear, setUnclear] = useState<readonly LookedUp[]>([])
  const [isLooking, setLooking] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const [refused, setRefused] = useState<readonly Refused[]>([])
  const list = useRef<HTMLDivElement>(null)
  const enrol = useChange('enrollment', (studentIds: string[], header) =>
    answer(api.POST('/groups/{id}/enrollments', { params: { path: { id: group.id }, header }, body: { studentIds } })),
  )
  const add = (some: readonly Candidate[]) =>
    setChosen((all) =>
      [...new Map([...all, ...some].map((student) => [student.id, student])).values()].slice(0, MOST_LINES),
    )
  const look = async () => {
    if (isLooking || pasted.trim() === '') return
    setLooking(true)
    setProblem(undefined)
    try {
      const found = await lookUp(linesOf(pasted))
      add(found.flatMap(({ candidates, isSure }) => (isSure ? candidates : [])))
      setUnclear(found.filter(({ isSure }) => !isSure))
      setPasted('')
    } catch (error) {
      setProblem(error as Problem)
    } finally {
      setLooking(false)
    }
  }
  const settle = (line: string, student: Candidate) => {
    add([student])
    setUnclear((all) => all.filter((one) => one.line !== line))
  }
  /** The button that made them goes away, and the keyboard goes to the list of who is enrolled. */
  const settleAll = (made: readonly { line: string; student: Candidate }[]) => {
    list.current?.focus()
    for (const { line, student } of made) settle(line, student)
  }
  const show = (outcome: Schemas['Enrolled']) => {
    if (outcome.enrolled.length > 0) toast(words.enrolledMany(outcome.enrolled.length, group.name))
    const left = outcome.refused.map(({ studentId, reason }) => ({
      studentId,
      name: chosen.find(({ id }) => id === studentId)?.name ?? '',
      reason,
    }))
    setChosen([])
    setRefused(left)
    if (left.length === 0 && unclear.length === 0) onClose()
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
      if (withoutPlace.length === refused.length && chosen.length === 0 && unclear.length === 0) onClose()
    } catch (error) {
      toast(explain(everything, error))
    }
  }
  const free = group.capacity === null ? undefined : Math.max(0, group.capacity - group.enrolledCount)
  const missing = unclear.filter(({ candidates }) => candidates.length === 0)
  return (
    <>
      {(problem ?? enrol.error) && <ProblemNotice problem={problem ?? enrol.error} />}
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
      <LongField label={words.paste} hint={words.pasteHint} isOptional value={pasted} onChange={setPasted} />
      {/* It stays where it is: the keyboard is on it while the lines are looked up. */}
      <div className="spaced">
        <Button isBusy={isLooking} onPress={() => void look()}>
          {words.lookUp}
        </Button>
      </div>
      {unclear.map(
        ({ line, candidates }) =>
          candidates.length > 0 && (
            <Choice
              key={line}
              label={words.which(line)}
              placeholder={words.choose}
              options={candidates.map(optionOf)}
              value={null}
              onChange={(id) => {
                const student = candidates.find((one) => one.id === id)
                if (student) settle(line, student)
              }}
            />
          ),
      )}
      {missing.length > 0 && <Unknown group={group} lines={missing} onMade={settleAll} />}
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
