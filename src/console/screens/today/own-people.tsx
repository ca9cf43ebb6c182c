import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Initials } from '../../parts/person.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useInstant } from '../../shell/now.ts'
import { InvoiceRow } from '../../records/invoice/row.tsx'

type Person = Schemas['OwnFamilyPerson']

const HUNDRED = 100

/** How one student stands: for the student, or for a guardian who tells the children apart by their names. */
export const OwnPerson = ({ person }: { person: Person }) => {
  const { people, family } = useWords()
  const format = useFormat()
  const { fullName, groups, attendanceRate30d: rate, balance, openInvoices, reports } = person
  return (
    <section className="section card own-person">
      <div className="row">
        <Initials name={fullName} />
        <h2 className="grow">
          <bdi>{fullName}</bdi>
        </h2>
        {balance.amountMinor > 0 && <Badge meaning="warn">{people.owes(format.money(balance))}</Badge>}
        {openInvoices.length === 0 && <Badge>{people.settled}</Badge>}
      </div>
      <div className="row">
        <span className="grow">
          <Next session={person.nextSession} />
          <span className="about">
            <Dotted>
              {groups.map(({ groupId, groupName }) => (
                <bdi key={groupId}>{groupName}</bdi>
              ))}
              {rate !== null && family.attended(format.percent(rate / HUNDRED))}
            </Dotted>
          </span>
        </span>
      </div>
      {openInvoices.map((invoice) => (
        <InvoiceRow key={invoice.id} invoice={invoice} />
      ))}
      {reports.length > 0 && <Reports reports={reports} />}
    </section>
  )
}

const Next = ({ session }: { session: Person['nextSession'] }) => {
  const { people, family, shell } = useWords()
  const format = useFormat()
  const now = useInstant()
  if (!session) return <span className="name">{family.noNextLesson}</span>
  const { groupName, room, scheduledStart, scheduledEnd } = session
  if (scheduledStart <= now && now < scheduledEnd) {
    return <span className="name now">{people.nowIn(groupName, room, format.time(scheduledEnd))}</span>
  }
  const day = format.dateOf(scheduledStart)
  const named = { [format.today()]: shell.today, [format.tomorrow()]: shell.tomorrow }[day] ?? format.longDate(day)
  return (
    <span className="name">
      <Dotted>
        {people.nextLesson(`${named} ${format.times(scheduledStart, scheduledEnd)}`)}
        <bdi>{groupName}</bdi>
        {room !== null && <bdi>{room}</bdi>}
      </Dotted>
    </span>
  )
}

/** The newest report, and those before it when one asks for them. */
const Reports = ({ reports }: { reports: Person['reports'] }) => {
  const { family } = useWords()
  const format = useFormat()
  const [areAllShown, setAllShown] = useState(false)
  const shown = areAllShown ? reports : reports.slice(0, 1)
  return (
    <>
      {shown.map(({ id, periodStart, periodEnd, average, comment }) => (
        <div key={id} className="row">
          <span className="grow">
            <span className="name">{family.report(format.date(periodStart), format.date(periodEnd))}</span>
            {comment !== null && (
              <span className="about long" dir="auto">
                {comment}
              </span>
            )}
          </span>
          {average !== null && <strong>{family.average(format.percent(average / HUNDRED))}</strong>}
        </div>
      ))}
      {reports.length > shown.length && (
        <div className="row">
          <Button look="quiet" onPress={() => setAllShown(true)}>
            {family.earlierReports(reports.length - shown.length)}
          </Button>
        </div>
      )}
    </>
  )
}
