import { ButtonLink } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useNow } from '../../shell/now.ts'
import { useAttention, useDay } from './reads.ts'
import { isForgotten, UnmarkedRow } from '../../records/session/row.tsx'

/** `/today/unmarked`: the classes that nobody marked: those of today, then of the days before. */
export const Screen = () => {
  const { today: words } = useWords()
  const { branchId } = useMe()
  const now = useNow()
  const attention = useAttention()
  const day = useDay(branchId)
  const ofToday = (day.data ?? [])
    .filter((session) => isForgotten({ ...session, about: [] }, now))
    .map((session) => ({ ...session, sessionId: session.id }))
  return (
    <Page title={words.unmarkedTitle}>
      <Loaded query={attention}>
        {({ unmarkedSessions }) => {
          const { latest, count } = unmarkedSessions ?? { latest: [], count: 0 }
          const all = [...ofToday, ...latest]
          if (all.length === 0) {
            return (
              <Empty>
                <p>{words.unmarkedNone}</p>
                <ButtonLink to="/today">{words.title}</ButtonLink>
              </Empty>
            )
          }
          return (
            <>
              <ul className="card">
                {all.map((session) => (
                  <li key={session.sessionId}>
                    <UnmarkedRow session={session} />
                  </li>
                ))}
              </ul>
              {count > latest.length && <p className="small">{words.unmarkedMore(count - latest.length)}</p>}
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}
