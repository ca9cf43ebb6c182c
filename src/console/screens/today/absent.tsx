import { Link } from 'wouter'
import { Dotted } from '../../parts/dotted.tsx'
import { Initials } from '../../parts/person.tsx'
import { Section } from '../../parts/page.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useAbsent } from './reads.ts'

/** Who does not come today, as the families or the office announced. Nothing is shown where nobody did. */
export const Absent = () => {
  const { today: words } = useWords()
  const format = useFormat()
  const { branchId, can } = useMe()
  const absences = useAbsent(branchId).data?.data ?? []
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
