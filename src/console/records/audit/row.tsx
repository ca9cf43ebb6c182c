import { Link } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { Told } from '../../parts/told.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import type { Words } from '../../words/words.ts'
import { useWorkers } from '../member/reads.ts'
import { kindOf, pageOf, verbOf, type Entry, type Kind } from './acts.ts'
import { changesIn, nameIn, type Said } from './changes.ts'

type Worker = Schemas['Member']

/** Those who work here, whose names the history tells. Families are many, and stand in it without. */
export const useTold = () => {
  const { can } = useMe()
  return useWorkers(!can('members.read'))
}

const whoOf = (
  { actorType, actorUserId, actorName, entityType, entityId }: Entry,
  workers: readonly Worker[],
  { history }: Words,
): string => {
  if (actorName !== null) return actorName
  // Whoever signs in is known once they have.
  const account = actorType === 'public' && entityType === 'user' ? entityId : actorUserId
  const worker = workers.find(({ userId }) => userId === account)
  if (worker) return worker.fullName || worker.email
  if (actorType === 'system') return history.server
  if (actorType === 'public') return entityType === 'user' ? history.somebody : history.website
  if (actorType === 'platform_admin') return history.operator
  return actorType === 'api_key' ? history.program : history.somebody
}

/** Whose account it is, where somebody else did it: the entry names it by its id alone. */
const accountOf = ({ actorType, entityType, entityId, actorUserId }: Entry, { names }: Said): string =>
  entityType === 'user' && actorType !== 'public' && entityId !== actorUserId ? (names.get(entityId ?? '') ?? '') : ''

const given = (names: readonly (string | null)[]): string[] => names.filter((name) => name !== null)

interface EntryRowProps {
  entry: Entry
  workers: readonly Worker[]
  /** Whether it stands on the page of its record, where it need not say which one, nor lead there. */
  isAtRecord?: boolean
}

/** What somebody did, as a sentence, with what became of each detail. */
export const EntryRow = ({ entry, workers, isAtRecord = false }: EntryRowProps) => {
  const words = useWords()
  const { history } = words
  const format = useFormat()
  const { branches, institute } = useMe()
  const said: Said = {
    words,
    format,
    names: new Map([
      ...branches.map(({ id, name }) => [id, name] as const),
      ...workers.map(({ userId, fullName, email }) => [userId, fullName || email] as const),
    ]),
    currency: institute.currency,
  }
  const what = history.kinds[kindOf(entry) as Kind] ?? history.something
  const changes = changesIn(entry, said)
  const page = pageOf(entry)
  const { actorType, actorUserId, channel, entityId, entityType, createdAt } = entry
  return (
    <div className="row">
      <span className="grow">
        <span className="name plain">
          <Told>
            {history.did(
              whoOf(entry, workers, words),
              history.verbs[verbOf(entry)],
              what,
              isAtRecord
                ? ''
                : nameIn(entry) || accountOf(entry, said) || format.commas(given([entry.studentName, entry.groupName])),
            )}
          </Told>
        </span>
        {changes.map((change) => (
          <span key={change} className="report">
            <Told>{change}</Told>
          </span>
        ))}
        <span className="about">
          {isAtRecord ? format.moment(createdAt) : format.time(createdAt)}
          {actorType === 'api_key' && actorUserId !== null && ` · ${history.byProgram}`}
          {channel === 'mcp' && ` · ${history.byAssistant}`}
        </span>
      </span>
      {!isAtRecord && entityId !== null && page === undefined && (
        <Link className="link small" href={`/settings/history?what=${entityType}&id=${entityId}`}>
          {history.onlyThis}
        </Link>
      )}
      {!isAtRecord && page !== undefined && (
        <Link className="link" href={page}>
          {history.open}
        </Link>
      )}
    </div>
  )
}
