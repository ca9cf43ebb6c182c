import { Link } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { Dotted } from '../../parts/dotted.tsx'
import { Download } from '../../parts/download.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { CallIcon, Initials } from '../../parts/person.tsx'
import { PhoneNumber } from '../../parts/phone.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useAbsent, useMarkedAbsent } from './reads.ts'

/** Who is not here today: those who were marked absent, by group, and those of whom it was announced. */
export const Absent = () => {
  const { branchId } = useMe()
  const marked = useMarkedAbsent(branchId).data
  const announced = useAbsent(branchId).data?.data ?? []
  // Who was announced and marked stands among those who were marked, with the reason.
  const known = new Set(marked?.map(({ studentId }) => studentId))
  return (
    <>
      {marked !== undefined && marked.length > 0 && <Marked absent={marked} />}
      <Announced absences={announced.filter(({ studentId }) => !known.has(studentId))} />
    </>
  )
}

const Marked = ({ absent }: { absent: readonly Schemas['AbsentStudent'][] }) => {
  const { today: words } = useWords()
  const format = useFormat()
  const { branchId } = useMe()
  const inTime = absent.toSorted((one, other) => (one.scheduledStart < other.scheduledStart ? -1 : 1))
  const lessons = [...new Set(inTime.map(({ sessionId }) => sessionId))].map((id) =>
    inTime.filter(({ sessionId }) => sessionId === id),
  )
  return (
    <Section
      title={words.markedAbsent(new Set(absent.map(({ studentId }) => studentId)).size)}
      actions={<Download path="/dashboard/absent" query={{ branchId }} />}
    >
      {lessons.map((ofLesson) => {
        const [first] = ofLesson
        if (!first) return null
        const title = `${first.groupName} · ${format.time(first.scheduledStart)}`
        return (
          <section key={first.sessionId} className="calendar">
            <h3>
              <Dotted>
                <bdi>{first.groupName}</bdi>
                <bdi>{format.time(first.scheduledStart)}</bdi>
              </Dotted>
            </h3>
            <ul className="card" aria-label={title}>
              {ofLesson.map((one) => (
                <li key={one.studentId}>
                  <MarkedRow absent={one} />
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </Section>
  )
}

const MarkedRow = ({ absent }: { absent: Schemas['AbsentStudent'] }) => {
  const { today: words, people } = useWords()
  const { can } = useMe()
  const { studentId, studentName, status, note, announcedReason, isTold, isWaiting, contact } = absent
  const reason = announcedReason ?? note
  const name = <bdi className="name">{studentName}</bdi>
  return (
    <div className="row missed">
      <Initials name={studentName} />
      <span className="grow">
        {can('students.read') ? (
          <Link href={`/students/${studentId}`} className="link">
            {name}
          </Link>
        ) : (
          name
        )}
        <span className="about">
          <Dotted>
            {reason !== null && <bdi>{reason}</bdi>}
            {contact !== null && <bdi>{contact.fullName}</bdi>}
            {contact !== null && contact.phone !== null && <PhoneNumber number={contact.phone} />}
          </Dotted>
        </span>
      </span>
      {announcedReason !== null || status === 'excused' ? (
        <Badge>{words.excused}</Badge>
      ) : isTold ? (
        <Badge meaning="good">{words.told}</Badge>
      ) : (
        <Badge meaning="warn">{isWaiting ? words.messageWaits : words.notTold}</Badge>
      )}
      {contact !== null && contact.phone !== null && (
        <CallIcon number={contact.phone} label={people.call(contact.fullName)} />
      )}
    </div>
  )
}

/** Who does not come today, as the families or the office announced. Nothing is shown where nobody did. */
const Announced = ({ absences }: { absences: readonly Schemas['Absence'][] }) => {
  const { today: words } = useWords()
  const format = useFormat()
  const { can } = useMe()
  if (absences.length === 0) return null
  return (
    <Section title={words.absent}>
      <ul className="card" aria-label={words.absent}>
        {absences.map(({ id, studentId, studentName, from, to, reason }) => {
          const about = (
            <>
              <Initials name={studentName} />
              <span className="grow">
                <bdi className="name">{studentName}</bdi>
                <span className="about">
                  <Dotted>
                    <bdi>{reason}</bdi>
                    {from !== to && words.absentUntil(format.longDate(to))}
                  </Dotted>
                </span>
              </span>
            </>
          )
          return (
            <li key={id}>
              {can('students.read') ? (
                <Link href={`/students/${studentId}`} className="row">
                  {about}
                </Link>
              ) : (
                <div className="row">{about}</div>
              )}
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
