import { Button } from '../../parts/button.tsx'
import { Section } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { Schedule } from '../../records/group/schedule.tsx'
import { OpenGroups } from '../../records/group/open-groups.tsx'
import { useDraft, type Draft } from './draft.ts'

/** The group, with its free places; a student may also come without one. */
export const GroupPart = ({ draft }: { draft: Draft }) => {
  const { register: words } = useWords()
  const { group, student } = useDraft(draft).typed
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
          <Button look="quiet" onPress={() => draft.type({ group: null, lines: null })}>
            {words.anotherGroup}
          </Button>
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
          <OpenGroups
            groupIds={[]}
            isBusy={false}
            branchId={student.branchId}
            onChoose={(chosen) => draft.type({ group: chosen, lines: null })}
          />
        </div>
      )}
    </Section>
  )
}
