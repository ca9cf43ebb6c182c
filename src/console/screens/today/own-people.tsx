import { Link } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { Dotted } from '../../parts/dotted.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Initials } from '../../parts/person.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { LessonRow } from '../../records/family/lesson-row.tsx'
import { NextLesson } from '../../records/family/next-lesson.tsx'
import { PayByCard } from '../../records/family/pay-by-card.tsx'

type Person = Schemas['OwnFamilyPerson']

/** The day of one student: whether they were there, what is next, and what is due. */
export const OwnPerson = ({ person, isPaidOnline }: { person: Person; isPaidOnline: boolean }) => {
  const { studentId, fullName, groups, seesLearning, seesMoney } = person
  return (
    <section className="section card own-person">
      <Link href={`/children/${studentId}`} className="row">
        <Initials name={fullName} />
        <span className="grow">
          <h2>
            <bdi>{fullName}</bdi>
          </h2>
          {groups.length > 0 && (
            <span className="about">
              <Dotted>
                {groups.map(({ groupId, groupName }) => (
                  <bdi key={groupId}>{groupName}</bdi>
                ))}
              </Dotted>
            </span>
          )}
        </span>
        <Icon name="forward" />
      </Link>
      {seesLearning && <Lessons person={person} />}
      {seesMoney && <Due person={person} isPaidOnline={isPaidOnline} />}
    </section>
  )
}

const Lessons = ({ person: { today, absence, nextSession, attendanceRate30d: rate } }: { person: Person }) => {
  const { own: words, family } = useWords()
  const format = useFormat()
  const isToday = nextSession !== null && today.some(({ sessionId }) => sessionId === nextSession.sessionId)
  return (
    <>
      {absence !== null && (
        <div className="row">
          <span className="grow">
            <span className="name">{words.announcedToday}</span>
            <span className="about long">
              <bdi>{absence.reason}</bdi>
            </span>
          </span>
        </div>
      )}
      {today.map((lesson) => {
        const { attendance: status, minutesLate } = lesson
        return (
          <LessonRow key={lesson.sessionId} lesson={lesson} mark={status === null ? null : { status, minutesLate }} />
        )
      })}
      {!isToday && (
        <div className="row">
          <span className="grow">
            <NextLesson session={nextSession} />
            {rate !== null && <span className="about">{family.attended(format.percent(rate / 100))}</span>}
          </span>
        </div>
      )}
    </>
  )
}

const Due = ({ person, isPaidOnline }: { person: Person; isPaidOnline: boolean }) => {
  const { people, own: words } = useWords()
  const format = useFormat()
  const { studentId, balance, openInvoices } = person
  const [first] = openInvoices
  if (!first) {
    return (
      <div className="row">
        <span className="grow soft">{people.settled}</span>
      </div>
    )
  }
  const owed = balance !== null && balance.amountMinor > 0 ? balance : first.balance
  return (
    <>
      <Link href={`/children/${studentId}/money`} className="row">
        <span className="grow">
          <span className="name">{words.toPay(format.money(owed))}</span>
          <span className="about">{people.due(format.date(first.dueDate))}</span>
        </span>
        {openInvoices.some(({ status }) => status === 'overdue') && (
          <Badge meaning="bad">{people.invoiceStatuses.overdue}</Badge>
        )}
        <Icon name="forward" />
      </Link>
      {isPaidOnline && <PayByCard invoice={first} />}
    </>
  )
}
