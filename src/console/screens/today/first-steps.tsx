import { useGet } from '../../api/queries.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Empty } from '../../parts/notice.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { readGroups } from '../../records/group/reads.ts'

/** A day without classes: in a school without groups, what comes first. */
export const NoClasses = () => {
  const { today: words } = useWords()
  const { can } = useMe()
  const groups = useGet(['/groups', 'any'], (signal) => readGroups({ limit: 1 }, signal), {
    isOff: !can('groups.write'),
  })
  const isNew = groups.data?.data.length === 0
  const steps = [
    { is: can('branches.manage'), to: '/settings/branches', text: words.firstBranches },
    { is: can('members.manage'), to: '/settings/people', text: words.firstPeople },
    { is: can('courses.write'), to: '/courses/new', text: words.firstCourse },
    { is: can('groups.write'), to: '/groups/new', text: words.firstGroup },
    { is: can('invoices.write'), to: '/invoices/run', text: words.firstFees },
  ].filter(({ is }) => is)
  if (groups.isLoading) return <div className="card padded" />
  if (!isNew) {
    return (
      <div className="card">
        <Empty>
          <p>{words.noClasses}</p>
          <ButtonLink to="/groups">{words.toGroups}</ButtonLink>
        </Empty>
      </div>
    )
  }
  return (
    <>
      <p className="lead soft">{words.firstSteps}</p>
      <ol className="card">
        {steps.map(({ to, text }) => (
          <li key={to}>
            <div className="row">
              <span className="grow">{text}</span>
              <ButtonLink look="quiet" to={to}>
                {words.firstOpen}
              </ButtonLink>
            </div>
          </li>
        ))}
      </ol>
    </>
  )
}
