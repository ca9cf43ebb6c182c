import { useEffect } from 'react'
import { useParams } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { Initials } from '../../parts/person.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { Discounts } from '../../records/discount/section.tsx'
import { useChargedSource } from '../../records/enrollment/charged.ts'
import { Files } from '../../records/file/section.tsx'
import { ErasedPerson } from '../../records/person/erased.tsx'
import { PersonMore } from '../../records/person/more.tsx'
import { remember } from '../../records/search/recent.ts'
import { Ahead } from './ahead.tsx'
import { Attendance } from './attendance.tsx'
import { Balance } from './balance.tsx'
import { Details } from './details.tsx'
import { Family } from './family.tsx'
import { Groups } from './groups.tsx'
import { History } from './history.tsx'
import { Money } from './money.tsx'
import { Reports } from './reports.tsx'
import { Results } from './results.tsx'
import { MergeStudent } from './merge.tsx'
import { StatusMenu } from './status-menu.tsx'
import { StudentAccount } from '../../records/student/account.tsx'
import { useStudent } from '../../records/student/reads.ts'
import { StudentStatus } from '../../records/student/status.tsx'
import { Whereabouts } from '../../records/student/whereabouts.tsx'

/** One student: the head, then sections that load by themselves. */
export const Screen = () => {
  const { id } = useParams<{ id: string }>()
  const { people } = useWords()
  const student = useStudent(id)
  if (student.data && student.data.erasedAt !== null) {
    return <ErasedPerson of={`/students/${id}`} name={student.data.fullName} erasedAt={student.data.erasedAt} />
  }
  if (student.data) return <Student student={student.data} />
  return (
    <Page title={people.student}>
      <Loaded query={student}>{() => null}</Loaded>
    </Page>
  )
}

const Student = ({ student }: { student: Schemas['StudentDetail'] }) => {
  const { messages, payment } = useWords()
  const { can } = useMe()
  const { id, fullName, studentNumber } = student
  const scopes = useChargedSource()
  useEffect(
    () => remember({ type: 'student', id, label: fullName, sublabel: studentNumber }),
    [id, fullName, studentNumber],
  )
  return (
    <Page
      name={fullName}
      title={
        <span className="titled">
          <Initials name={fullName} isLarge />
          <bdi>{fullName}</bdi>
        </span>
      }
      about={
        <span className="chips">
          <span className="ltr">{studentNumber}</span>
          <StudentStatus status={student.status} />
          {can('invoices.read') && <Balance studentId={id} />}
          <StudentAccount student={student} />
          {can('enrollments.read') && <Whereabouts studentId={id} />}
        </span>
      }
      actions={
        <>
          <PersonMore
            of={`/students/${id}`}
            path={`/students/${id}/data`}
            name={fullName}
            merge={
              can('students.write') ? (props) => <MergeStudent kept={{ id, name: fullName }} {...props} /> : undefined
            }
          />
          {can('students.write') && <StatusMenu student={student} />}
          {can('notifications.send') && <ButtonLink to={`/messages/new?studentId=${id}`}>{messages.write}</ButtonLink>}
          {can('payments.record') && (
            <ButtonLink look="primary" to={`/pay/students/${id}`}>
              {payment.title}
            </ButtonLink>
          )}
        </>
      }
    >
      <Ahead student={student} />
      <div className="two">
        <div>
          {can('enrollments.read') && <Groups student={student} />}
          {can('attendance.read') && <Attendance studentId={id} name={fullName} />}
          {can('invoices.read') && <Money studentId={id} name={student.fullName} />}
          {can('invoices.read') && <Discounts holder={{ studentId: id }} name={fullName} scopes={scopes} />}
          {can('exams.read') && <Results studentId={id} />}
          {can('reports.read', 'exams.write') && <Reports student={student} />}
        </div>
        <div>
          {can('guardians.read') && <Family student={student} />}
          <Details student={student} />
          {can('files.read') && <Files of="student" id={id} />}
          {can('audit.read') && <History studentId={id} />}
        </div>
      </div>
    </Page>
  )
}
