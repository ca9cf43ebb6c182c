import { useState } from 'react'
import { Link } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

const MARKS = ['present', 'late', 'absent', 'excused'] as const

/** How often each student came over a time, read once somebody asks for it. */
export const AttendanceSummary = ({ groupId }: { groupId: string }) => {
  const { groups: words } = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <Section
      title={words.attendanceOver}
      actions={
        !isOpen && (
          <Button look="quiet" onPress={() => setOpen(true)}>
            {words.sumUp}
          </Button>
        )
      }
    >
      {isOpen && <Summary groupId={groupId} />}
    </Section>
  )
}

const Summary = ({ groupId }: { groupId: string }) => {
  const { groups: words, people, reporting } = useWords()
  const [days, setDays] = useState<{ from?: string; to?: string }>({})
  const summary = useGet(
    ['/groups', groupId, 'attendance', 'summary', days],
    (signal) =>
      answer(api.GET('/groups/{id}/attendance/summary', { params: { path: { id: groupId }, query: days }, signal })),
    { keepsFormer: true },
  )
  const { from, to } = summary.data ?? {}
  return (
    <>
      <div className="filters">
        <div className="range">
          <DateField
            label={reporting.from}
            value={days.from ?? from ?? null}
            onChange={(day) => day && setDays({ ...days, from: day })}
          />
          <DateField
            label={reporting.to}
            value={days.to ?? to ?? null}
            onChange={(day) => day && setDays({ ...days, to: day })}
          />
        </div>
      </div>
      <div className="card">
        <Loaded query={summary}>
          {({ students }) =>
            students.every(({ totalHeld }) => totalHeld === 0) ? (
              <Empty>{people.noAttendance}</Empty>
            ) : (
              <ul aria-label={words.attendanceOver}>
                {students.map((line) => (
                  <li key={line.studentId}>
                    <Line line={line} />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
    </>
  )
}

/** The marks that a student has, each with its number, and how much of it was there. */
const Line = ({ line }: { line: Schemas['StudentAttendanceSummary'] }) => {
  const { people, reporting } = useWords()
  const format = useFormat()
  const { studentId, firstName, lastName, rate } = line
  return (
    <div className="row">
      <span className="grow">
        <Link href={`/students/${studentId}`} className="name link">
          <bdi>{`${firstName} ${lastName}`}</bdi>
        </Link>
        <span className="about">
          <Dotted>
            {MARKS.filter((mark) => line[mark] > 0).map((mark) => (
              <span key={mark}>{`${people.marks[mark]}: ${format.number(line[mark])}`}</span>
            ))}
          </Dotted>
        </span>
      </span>
      <span>
        <span className="unseen">{reporting.rate} </span>
        <bdi>{rate === null ? '–' : format.percent(rate / 100)}</bdi>
      </span>
    </div>
  )
}
