import { useCallback, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import type { Schemas } from '../../api/client.ts'
import { Rows } from '../../parts/rows.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { useWords } from '../../words/language.tsx'
import { useGroupPages } from './reads.ts'

interface OpenGroupsProps {
  /** The groups that the student is in already. */
  groupIds: readonly string[]
  isBusy: boolean
  /** null: the groups of all branches. */
  branchId: string | null
  autoFocus?: boolean
  onChoose: (group: Schemas['Group']) => void
}

/** The groups that take students, with the free places of each. */
export const OpenGroups = ({ groupIds, isBusy, branchId, autoFocus, onChoose }: OpenGroupsProps) => {
  const { people } = useWords()
  const [q, setQ] = useState('')
  const search = useCallback((typed: string) => setQ(typed), [])
  const groups = useGroupPages({ status: 'active', q: q || undefined, branchId: branchId ?? undefined, limit: 20 })
  return (
    <>
      <SearchField label={people.enrolSearch} value={q} onChange={search} {...(autoFocus && { autoFocus })} />
      <div className="choices">
        <Rows
          pages={groups}
          label={people.groups}
          keyOf={({ id }) => id}
          empty={q === '' ? people.enrolNoneYet : people.enrolNone}
        >
          {(group) => {
            const free = group.capacity === null ? null : group.capacity - group.enrolledCount
            const isIn = groupIds.includes(group.id)
            const isFull = free !== null && free <= 0
            return (
              <AriaButton className="row plain" isDisabled={isIn || isFull || isBusy} onPress={() => onChoose(group)}>
                <span className="grow">
                  <bdi className="name">{group.name}</bdi>
                  <span className="about">
                    <bdi>{group.courseName}</bdi>
                  </span>
                </span>
                <span className="soft">
                  {isIn ? people.already : isFull ? people.full : free === null ? people.noLimit : people.free(free)}
                </span>
              </AriaButton>
            )
          }}
        </Rows>
      </div>
    </>
  )
}
