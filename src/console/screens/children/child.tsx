import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { useOwnStudent } from '../../records/family/reads.ts'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'

export type Child = Schemas['OwnStudent']

interface ChildPageProps {
  id: string
  at: 'lessons' | 'marks' | 'courses' | 'money'
  actions?: (child: Child) => ReactNode
  children: (child: Child) => ReactNode
}

/** The page of a child, or of the student who is signed in: where it stands is one of its places. */
export const ChildPage = ({ id, at, actions, children }: ChildPageProps) => {
  const { own: words } = useWords()
  const student = useOwnStudent(id)
  const child = student.data
  return (
    <Page
      title={child ? <bdi>{child.fullName}</bdi> : words.child}
      name={child?.fullName ?? words.child}
      about={
        child && (
          <Dotted>
            {child.groups.map(({ groupId, groupName }) => (
              <bdi key={groupId}>{groupName}</bdi>
            ))}
          </Dotted>
        )
      }
      actions={child && actions?.(child)}
    >
      {student.error instanceof Problem && student.error.status === 404 ? (
        <NotTheirs />
      ) : (
        <Loaded query={student}>
          {(loaded) => (
            <>
              <Places child={loaded} at={at} />
              {children(loaded)}
            </>
          )}
        </Loaded>
      )}
    </Page>
  )
}

/** A link of a message leads here that was opened by somebody else, or of a child who is theirs no more. */
const NotTheirs = () => {
  const { own: words, shell } = useWords()
  const { user } = useMe()
  return (
    <Empty>
      <p>{words.notTheirs(user.fullName)}</p>
      <ButtonLink to="/today" look="primary">
        {shell.notThere.home}
      </ButtonLink>
    </Empty>
  )
}

const Places = ({ child, at }: { child: Child; at: ChildPageProps['at'] }) => {
  const { own: words, proposals } = useWords()
  const base = `/children/${child.studentId}`
  const places = [
    ...(child.seesLearning
      ? ([
          ['lessons', base, words.lessons],
          ['marks', `${base}/marks`, words.marks],
          ...(child.courses.length > 0 ? ([['courses', `${base}/courses`, words.coursesPlace]] as const) : []),
        ] as const)
      : []),
    ...(child.seesMoney ? ([['money', `${base}/money`, words.money]] as const) : []),
    ...(child.seesLearning ? ([['details', `/details?of=${child.studentId}`, proposals.details]] as const) : []),
  ]
  if (places.length < 2) return null
  return (
    <nav className="list-tabs" aria-label={words.places(child.fullName)}>
      {places.map(([place, path, label]) => (
        <Link key={path} href={path} aria-current={at === place ? 'page' : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  )
}
