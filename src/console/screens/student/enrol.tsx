import { useCallback, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange, usePages } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Rows } from '../../parts/rows.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../shell/language.tsx'
import { useMe } from '../../shell/me.tsx'

interface EnrolSheetProps {
  student: Schemas['StudentDetail']
  /** The groups that the student is in already. */
  groupIds: readonly string[]
  isOpen: boolean
  onClose: () => void
}

/** Chooses the group to enrol in, with the free places of each. */
export const EnrolSheet = ({ student, groupIds, isOpen, onClose }: EnrolSheetProps) => {
  const { people, shell } = useWords()
  const { branchId } = useMe()
  const enrol = useChange('enrollment', (groupId: string, header) =>
    answer(api.POST('/enrollments', { params: { header }, body: { studentId: student.id, groupId } })),
  )
  const undo = useChange('enrollment', (id: string, header) =>
    answer(api.POST('/enrollments/{id}/drop', { params: { path: { id }, header }, body: {} })),
  )
  const choose = async (group: Schemas['Group']) => {
    const enrollment = await enrol.mutateAsync(group.id).catch(() => undefined)
    if (!enrollment) return
    onClose()
    toast(people.enrolled(student.fullName, group.name), () => undo.mutate(enrollment.id))
  }
  return (
    <Sheet title={people.enrolTitle(student.fullName)} isOpen={isOpen} onClose={onClose}>
      {enrol.error && <ProblemNotice problem={enrol.error} />}
      <OpenGroups
        groupIds={groupIds}
        isBusy={enrol.isPending}
        branchId={branchId}
        autoFocus
        onChoose={(group) => void choose(group)}
      />
      <div className="actions">
        <Button onPress={onClose}>{shell.cancel}</Button>
      </div>
    </Sheet>
  )
}

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
  const groups = usePages<Schemas['Group']>(['/groups', 'open', q, branchId], (cursor, signal) =>
    answer(
      api.GET('/groups', {
        params: {
          query: {
            status: 'active',
            limit: 20,
            ...(q && { q }),
            ...(branchId && { branchId }),
            ...(cursor && { cursor }),
          },
        },
        signal,
      }),
    ),
  )
  return (
    <>
      <SearchField label={people.enrolSearch} value={q} onChange={search} {...(autoFocus && { autoFocus })} />
      <div className="choices">
        <Rows pages={groups} label={people.groups} keyOf={({ id }) => id} empty={people.enrolNone}>
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
