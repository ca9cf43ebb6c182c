import { useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Badge, Empty } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { Initials, PersonRow, Phone } from '../../parts/person.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { LinkGuardian } from './link-guardian.tsx'
import { LinkMenu } from '../../records/guardian/link-menu.tsx'

export const useGuardians = (studentId: string, isOff = false) =>
  useGet(
    ['/students', studentId, 'guardians'],
    async (signal) => {
      const reply = api.GET('/students/{id}/guardians', { params: { path: { id: studentId } }, signal })
      const { data } = await answer(reply)
      const rank = ({ isPrimary, isPayer }: Schemas['LinkedGuardian']) => (isPrimary ? 0 : isPayer ? 1 : 2)
      return data.toSorted((one, other) => rank(one) - rank(other))
    },
    { isOff },
  )

/** The guardians, with phones that call, and the brothers and sisters. */
export const Family = ({ student: { id: studentId, fullName: name } }: { student: Schemas['StudentDetail'] }) => {
  const { people, family } = useWords()
  const { can } = useMe()
  const [isLinking, setLinking] = useState(false)
  const guardians = useGuardians(studentId)
  const mayLink = can('guardians.write') && guardians.data !== undefined
  return (
    <Section
      title={people.family}
      actions={
        mayLink && (
          <Button look="quiet" icon="plus" onPress={() => setLinking(true)}>
            {family.addGuardian}
          </Button>
        )
      }
    >
      {guardians.data && (
        <LinkGuardian
          student={{ id: studentId, name }}
          linkedIds={guardians.data.map(({ guardianId }) => guardianId)}
          isOpen={isLinking}
          onClose={() => setLinking(false)}
        />
      )}
      <div className="card">
        <Loaded query={guardians}>
          {(links) => (
            <>
              {links.length === 0 && <Empty>{people.noFamily}</Empty>}
              {links.map((link) => (
                <GuardianRow key={link.guardianId} link={link} student={{ id: studentId, name }} />
              ))}
              {links[0] && <Siblings studentId={studentId} guardianId={links[0].guardianId} />}
            </>
          )}
        </Loaded>
      </div>
    </Section>
  )
}

interface GuardianRowProps {
  link: Schemas['LinkedGuardian']
  student: { id: string; name: string }
}

const GuardianRow = ({ link, student }: GuardianRowProps) => {
  const { people } = useWords()
  const { can } = useMe()
  const name = `${link.guardian.firstName} ${link.guardian.lastName}`
  return (
    <div className="row">
      <Initials name={name} />
      <span className="grow">
        <Link href={`/guardians/${link.guardianId}`} className="name link">
          <bdi>{name}</bdi>
        </Link>
        <span className="about chips">
          {people.relations[link.relationship]}
          {link.isPrimary && <Badge meaning="info">{people.primary}</Badge>}
          {link.isPayer && <Badge>{people.payer}</Badge>}
        </span>
        <Phone number={link.guardian.phone} />
      </span>
      {can('guardians.write') && <LinkMenu student={student} guardian={{ id: link.guardianId, name }} link={link} />}
    </div>
  )
}

const Siblings = ({ studentId, guardianId }: { studentId: string; guardianId: string }) => {
  const { people } = useWords()
  const family = useFamily(guardianId)
  const siblings = family.data?.children.filter((child) => child.studentId !== studentId) ?? []
  if (siblings.length === 0) return null
  return (
    <>
      <h3 className="row-head">{people.siblings}</h3>
      {siblings.map((child) => (
        <ChildRow key={child.studentId} child={child} />
      ))}
    </>
  )
}

export const useFamily = (guardianId: string) =>
  useGet(['/guardians', guardianId, 'family-summary'], (signal) =>
    answer(api.GET('/guardians/{id}/family-summary', { params: { path: { id: guardianId } }, signal })),
  )

interface ChildRowProps {
  child: Schemas['FamilyChild']
  end?: ReactNode
}

export const ChildRow = ({ child, end }: ChildRowProps) => (
  <PersonRow
    to={`/students/${child.studentId}`}
    name={child.fullName}
    about={
      <Dotted>
        <span className="ltr">{child.studentNumber}</span>
        {child.groups.map(({ groupId, groupName }) => (
          <bdi key={groupId}>{groupName}</bdi>
        ))}
      </Dotted>
    }
    {...(end !== undefined && { end })}
  />
)
