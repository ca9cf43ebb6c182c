import { Redirect } from 'wouter'
import { ButtonLink } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { PersonRow } from '../../parts/person.tsx'
import { useOwnFamily } from '../../records/family/reads.ts'
import { useWords } from '../../words/language.tsx'

/** The children of a guardian. Who has one alone, or is the student, gets to their page at once. */
export const Screen = () => {
  const { own: words, proposals } = useWords()
  const family = useOwnFamily()
  const [first, ...others] = family.data?.people ?? []
  if (first && others.length === 0) return <Redirect to={`/children/${first.studentId}`} replace />
  return (
    <Page title={words.children} actions={<ButtonLink to="/details">{proposals.own}</ButtonLink>}>
      <Loaded query={family}>
        {({ people }) =>
          people.length === 0 ? (
            <Empty>{words.nobody}</Empty>
          ) : (
            <ul className="card" aria-label={words.children}>
              {people.map(({ studentId, fullName, groups }) => (
                <li key={studentId}>
                  <PersonRow
                    to={`/children/${studentId}`}
                    name={fullName}
                    about={
                      <Dotted>
                        {groups.map(({ groupId, groupName }) => (
                          <bdi key={groupId}>{groupName}</bdi>
                        ))}
                      </Dotted>
                    }
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  )
}
