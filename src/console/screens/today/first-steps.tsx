import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'

/** A day without classes. */
export const NoClasses = () => {
  const { today: words } = useWords()
  return (
    <div className="card">
      <Empty>
        <p>{words.noClasses}</p>
        <ButtonLink to="/groups">{words.toGroups}</ButtonLink>
      </Empty>
    </div>
  )
}

/** Whether somebody put the list away, in this browser. */
const usePutAway = (): [boolean, () => void] => {
  const { user, institute } = useMe()
  const key = `institute.first-steps.${institute.id}.${user.id}`
  const [isAway, setAway] = useState(() => localStorage.getItem(key) !== null)
  return [
    isAway,
    () => {
      localStorage.setItem(key, 'away')
      setAway(true)
    },
  ]
}

/** What comes first in a new school: it stays until all of it is done, or the reader puts it away. */
export const FirstSteps = ({ done }: { done: Schemas['SetUpSteps'] }) => {
  const { today: words } = useWords()
  const { can } = useMe()
  const [isAway, putAway] = usePutAway()
  const steps = [
    { id: 'branches', is: can('branches.manage'), to: '/settings/branches', text: words.firstBranches },
    { id: 'people', is: can('members.manage'), to: '/settings/people', text: words.firstPeople },
    { id: 'course', is: can('courses.write'), to: '/courses/new', text: words.firstCourse },
    { id: 'group', is: can('groups.write'), to: '/groups/new', text: words.firstGroup },
    { id: 'fees', is: can('invoices.write'), to: '/invoices/run', text: words.firstFees },
  ] as const
  const own = steps.filter(({ is }) => is)
  if (isAway || own.every(({ id }) => done[id])) return null
  return (
    <Section
      title={words.firstTitle}
      actions={
        <Button look="quiet" onPress={putAway}>
          {words.firstAway}
        </Button>
      }
    >
      <p className="soft spaced">{words.firstSteps}</p>
      <ol className="card" aria-label={words.firstTitle}>
        {own.map(({ id, to, text }) => (
          <li key={id}>
            <div className="row">
              <span className="grow">{done[id] ? <s className="soft">{text}</s> : text}</span>
              {done[id] ? (
                <span className="chips">
                  <Icon name="tick" />
                  {words.firstDone}
                </span>
              ) : (
                <ButtonLink look="quiet" to={to}>
                  {words.firstOpen}
                </ButtonLink>
              )}
            </div>
          </li>
        ))}
      </ol>
      <p className="chips below">
        {can('students.write') && (
          <ButtonLink look="quiet" to="/import">
            {words.firstList}
          </ButtonLink>
        )}
        {can('groups.write') && (
          <ButtonLink look="quiet" to="/closures">
            {words.firstClosed}
          </ButtonLink>
        )}
      </p>
    </Section>
  )
}
