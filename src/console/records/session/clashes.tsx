import type { UseQueryResult } from '@tanstack/react-query'
import { Icon } from '../../parts/icon.tsx'
import { Notice } from '../../parts/notice.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import type { Clash, Foreseen, Session } from './reads.ts'

/** What else needs the same teacher, room or students, a sentence for each. */
const ClashNotice = ({ said }: { said: readonly string[] }) => (
  <Notice meaning="warn">
    <ul className="grow">
      {[...new Set(said)].map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  </Notice>
)

interface ClashesOfProps {
  session: Session
  /** All of the week, among which are those that it clashes with. */
  sessions: readonly Session[]
  clashes: readonly Clash[]
}

/** What a lesson clashes with as it stands. */
export const ClashesOf = ({ session, sessions, clashes }: ClashesOfProps) => {
  const { week: words } = useWords()
  const format = useFormat()
  if (clashes.length === 0) return null
  const said = clashes.map(({ kind, sessionId, otherSessionId, from, to }) => {
    const other = sessions.find(({ id }) => id === (sessionId === session.id ? otherSessionId : sessionId))
    return words.clashWith[kind](other?.groupName ?? words.anotherLesson, format.times(from, to))
  })
  return <ClashNotice said={said} />
}

interface ForeseenProps {
  foreseen: UseQueryResult<readonly Foreseen[]>
  /** What is said where nothing clashes. */
  free: string
}

/** What a lesson would clash with, before it is saved. */
export const ForeseenClashes = ({ foreseen, free }: ForeseenProps) => {
  const { week: words } = useWords()
  const format = useFormat()
  if (!foreseen.data) return null
  if (foreseen.data.length === 0) {
    return (
      <p className="said-so">
        <Icon name="tick" />
        {free}
      </p>
    )
  }
  const bySentence = new Map<string, Foreseen[]>()
  for (const one of foreseen.data) {
    const key = `${one.kind} ${one.session.groupId}`
    bySentence.set(key, [...(bySentence.get(key) ?? []), one])
  }
  const said = [...bySentence.values()].flatMap((all) => {
    const [first] = all
    if (!first) return []
    const { groupName, scheduledStart, scheduledEnd } = first.session
    const times =
      all.length === 1
        ? format.times(scheduledStart, scheduledEnd)
        : words.often(all.length, format.date(format.dateOf(scheduledStart)))
    return words.clashWith[first.kind](groupName, times)
  })
  return <ClashNotice said={said} />
}
