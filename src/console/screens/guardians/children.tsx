import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Badge, Empty } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { ChildRow } from '../../records/guardian/child-row.tsx'
import { Hidden } from '../../records/guardian/hidden.tsx'
import { LinkMenu } from '../../records/guardian/link-menu.tsx'
import { LinkChild } from './link-child.tsx'

interface ChildrenProps {
  guardian: { id: string; name: string }
  summary: UseQueryResult<Schemas['FamilySummary']>
}

/** The children in all branches that the reader may see. */
export const Children = ({ guardian, summary }: ChildrenProps) => {
  const { people, family } = useWords()
  const { can } = useMe()
  const [isLinking, setLinking] = useState(false)
  return (
    <Section
      title={people.children}
      actions={
        can('guardians.write') &&
        can('students.read') &&
        summary.data && (
          <Button look="quiet" icon="plus" onPress={() => setLinking(true)}>
            {family.addChild}
          </Button>
        )
      }
    >
      <div className="card">
        <Loaded query={summary}>
          {({ children }) => (
            <>
              {children.length === 0 && <Empty>{people.noChildren}</Empty>}
              {children.map((child) => (
                <Child key={child.studentId} guardian={guardian} child={child} />
              ))}
              <LinkChild
                guardian={guardian}
                studentIds={children.map(({ studentId }) => studentId)}
                isOpen={isLinking}
                onClose={() => setLinking(false)}
              />
            </>
          )}
        </Loaded>
      </div>
    </Section>
  )
}

const HUNDRED = 100

const Child = ({ guardian, child }: { guardian: ChildrenProps['guardian']; child: Schemas['FamilyChild'] }) => {
  const { people, family } = useWords()
  const format = useFormat()
  const { can, branches } = useMe()
  const { studentId, fullName, branchId, attendanceRate30d: rate, balance, relationship, isPrimary, isPayer } = child
  const branch = branches.length > 1 ? branches.find(({ id }) => id === branchId)?.name : undefined
  return (
    <div className="child">
      <ChildRow
        child={child}
        end={
          balance &&
          balance.amountMinor > 0 && (
            <span className="amount">
              <bdi>{format.money(balance)}</bdi>
            </span>
          )
        }
      />
      <div className="link-line">
        <div className="chips">
          <span>
            <Dotted>
              {people.relations[relationship]}
              {branch !== undefined && <bdi>{branch}</bdi>}
              {rate !== null && family.attended(format.percent(rate / HUNDRED))}
            </Dotted>
          </span>
          {isPrimary && <Badge meaning="info">{people.primary}</Badge>}
          {isPayer && <Badge>{people.payer}</Badge>}
          <Hidden link={child} />
        </div>
        {can('guardians.write') && (
          <LinkMenu student={{ id: studentId, name: fullName }} guardian={guardian} link={child} />
        )}
      </div>
    </div>
  )
}
