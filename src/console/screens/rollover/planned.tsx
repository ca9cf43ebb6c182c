import { useState } from 'react'
import { BOUNDS } from '../../api/bounds.ts'
import { Button } from '../../parts/button.tsx'
import { Check } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Field } from '../../parts/field.tsx'
import { Icon } from '../../parts/icon.tsx'
import { linesOf } from '../../records/group/weekly-times.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { isTicked, mayTick, tickOf, type Draft, type PlannedGroup } from './draft.ts'

interface PlannedProps {
  group: PlannedGroup
  draft: Draft
  onName: (name: string) => void
  onTick: (key: string, isOn: boolean) => void
}

/** What becomes of one group: its name, when and with whom it meets, who goes on, and what to look at. */
export const Planned = ({ group, draft, onName, onTick }: PlannedProps) => {
  const { rollover: words, groups } = useWords()
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  const { groupId, formerName, teacher, kept, capacity, students } = group
  const weekly = linesOf(group.times.map((time) => ({ ...time, key: `${time.weekday} ${time.startTime}` }))).map(
    ({ days, startTime, endTime }) =>
      groups.weekly(format.commas(days.map((day) => format.shortWeekday(day))), `${startTime}–${endTime}`),
  )
  const left = students.length - kept
  return (
    <li className="card padded planned">
      <p className="soft from">
        <bdi>{formerName}</bdi> <span>{words.ends(format.date(group.endsOn))}</span>
      </p>
      <Field
        label={words.newName(formerName)}
        isLabelUnseen
        value={draft.names.get(groupId) ?? group.name}
        onChange={onName}
        maxLength={BOUNDS.RolloverName.name.maxLength}
      />
      <p>
        <Dotted>
          {weekly.length === 0 ? groups.noSchedule : weekly}
          {teacher?.isKept === true && <bdi>{teacher.name}</bdi>}
          {group.lessons > 0 && words.lessons(group.lessons)}
        </Dotted>
      </p>
      <Warnings group={group} />
      <div className="students-head">
        <span className="grow who">
          <b>{capacity === null ? words.goOn(kept) : words.goOnOf(kept, capacity)}</b>
          {left > 0 && <span className="soft"> {words.leftOut(left)}</span>}
        </span>
        {students.length > 0 && (
          <Button look="quiet" onPress={() => setOpen(!isOpen)}>
            {isOpen ? words.hideStudents : words.showStudents}
          </Button>
        )}
      </div>
      {isOpen && (
        <ul className="rollover-students" aria-label={words.studentsOf(formerName)}>
          {students.map((student) => (
            <li key={student.studentId}>
              <Check
                isChecked={mayTick(draft, groupId, student) && isTicked(draft, groupId, student)}
                isDisabled={!mayTick(draft, groupId, student)}
                onChange={(isOn) => onTick(tickOf(groupId, student.studentId), isOn)}
              >
                <bdi>{student.name}</bdi>
                <span className="about">
                  {student.leftOut === null || student.leftOut === 'not_chosen'
                    ? student.leftOut === null &&
                      format.money({ amountMinor: student.priceMinor, currency: student.currency })
                    : words.reasons[student.leftOut]}
                </span>
              </Check>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

/** What somebody should look at before the groups go on. */
const Warnings = ({ group }: { group: PlannedGroup }) => {
  const { rollover: words } = useWords()
  const format = useFormat()
  const { teacher, clashes, closedLessons, fees } = group
  const warnings = [
    ...(teacher !== null && !teacher.isKept ? [words.withoutTeacher(teacher.name)] : []),
    ...clashes.map(({ kind, weekday, startTime, endTime, groupName }) =>
      words.clash[kind](`${format.shortWeekday(weekday)} ${startTime}–${endTime}`, groupName),
    ),
  ]
  return (
    <>
      {warnings.length > 0 && (
        <ul className="warnings">
          {warnings.map((warning) => (
            <li key={warning}>
              <Icon name="warning" />
              <span>{warning}</span>
            </li>
          ))}
        </ul>
      )}
      {(closedLessons > 0 || fees.length > 0) && (
        <p className="soft">
          <Dotted>
            {closedLessons > 0 && words.closed(closedLessons)}
            {fees.length > 0 && words.fees(format.list(fees))}
          </Dotted>
        </p>
      )}
    </>
  )
}
