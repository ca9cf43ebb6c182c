import { useState } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Badge, Empty } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { Initials, Phone } from '../../parts/person.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { LinkGuardian } from './link-guardian.tsx'
import { GuardianAccount, useAccounts, type Account } from '../../records/guardian/account.tsx'
import { Hidden } from '../../records/guardian/hidden.tsx'
import { LinkMenu } from '../../records/guardian/link-menu.tsx'
import { useFamily, useGuardiansOf } from '../../records/guardian/reads.ts'
import { ChildRow } from '../../records/guardian/child-row.tsx'

/** The guardians, with phones that call, and the brothers and sisters. */
export const Family = ({ student: { id: studentId, fullName: name } }: { student: Schemas['StudentDetail'] }) => {
  const { people, family } = useWords()
  const { can } = useMe()
  const [isLinking, setLinking] = useState(false)
  const guardians = useGuardiansOf(studentId)
  const accounts = useAccounts({ studentId })
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
                <GuardianRow
                  key={link.guardianId}
                  link={link}
                  student={{ id: studentId, name }}
                  account={accounts.data?.find(({ id }) => id === link.guardianId)}
                />
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
  account: Account | undefined
}

const GuardianRow = ({ link, student, account }: GuardianRowProps) => {
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
          <Hidden link={link} />
        </span>
        <Phone number={link.guardian.phone} />
        {account && (
          <span className="about chips">
            <GuardianAccount account={account} />
          </span>
        )}
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
