import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Section } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { Schedule } from '../../records/group/schedule.tsx'
import { OpenGroups } from '../../records/group/open-groups.tsx'
import { useDraft, type Draft } from './draft.ts'
import { firstLines } from './first-invoice.ts'
import { SavedBadge } from './outcome.tsx'

interface GroupPartProps {
  draft: Draft
  fees: readonly Schemas['FeeSchedule'][]
}

/** The group, with its free places; a student may also come without one. */
export const GroupPart = ({ draft, fees }: GroupPartProps) => {
  const { register: words } = useWords()
  const format = useFormat()
  const { typed, saved } = useDraft(draft)
  const { group } = typed
  const choose = (chosen: Schemas['Group'] | null) =>
    draft.type({ group: chosen, lines: chosen ? firstLines(chosen, fees, format.today().slice(0, 7)) : [] })
  return (
    <Section title={words.group}>
      {group ? (
        <div className="card padded found-person">
          <span className="grow">
            <bdi className="name">{group.name}</bdi>
            <span className="about">
              <bdi>{group.courseName}</bdi>
            </span>
            <Schedule group={group} isFixed />
          </span>
          {saved.group ? (
            <SavedBadge />
          ) : (
            <Button look="quiet" onPress={() => choose(null)}>
              {words.anotherGroup}
            </Button>
          )}
        </div>
      ) : (
        // Enter narrows the list, and does not save the form around it.
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
        <div
          className="card padded"
          onKeyDown={(event) => {
            if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
          }}
        >
          <p className="hint spaced">{words.groupLater}</p>
          <OpenGroups groupIds={[]} isBusy={false} branchId={typed.student.branchId} onChoose={choose} />
        </div>
      )}
    </Section>
  )
}
