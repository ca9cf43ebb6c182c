import { Link } from 'wouter'
import { ButtonLink } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import type { Rollover } from './draft.ts'

/** The new groups are there, each a link. */
export const Made = ({ rollover }: { rollover: Rollover }) => {
  const { rollover: words, groups: groupWords } = useWords()
  const format = useFormat()
  const { groups, startsOn, endsOn, isDone } = rollover
  return (
    <Page
      title={words.made(groups.length)}
      about={format.range(startsOn, endsOn)}
      isNext
      actions={
        <ButtonLink look="primary" to="/groups">
          {groupWords.title}
        </ButtonLink>
      }
    >
      <Notice meaning={isDone ? 'good' : 'info'}>
        <span className="grow">{isDone ? words.allDone : words.goesOn}</span>
      </Notice>
      <ul className="card" aria-label={words.made(groups.length)}>
        {groups.map(({ groupId, newGroupId, name, courseName, kept }) => (
          <li key={groupId}>
            <Link href={`/groups/${newGroupId}`} className="row">
              <span className="grow">
                <bdi className="name">{name}</bdi>
                <span className="about">
                  <Dotted>
                    <bdi>{courseName}</bdi>
                  </Dotted>
                </span>
              </span>
              <span className="soft">{groupWords.students(kept)}</span>
              <Icon name="forward" />
            </Link>
          </li>
        ))}
      </ul>
    </Page>
  )
}
