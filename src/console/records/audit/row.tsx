import { Link } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { Told } from '../../parts/told.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { changesIn } from '../../../shared/audit-changes.ts'
import { sentenceOf, wayOf, type Telling } from '../../../shared/audit-sentence.ts'
import { useWorkers } from '../member/reads.ts'
import { pageOf, type Entry } from './acts.ts'
import { auditWordsOf } from './telling.ts'

type Worker = Schemas['Member']

/** Those who work here, whose names the history tells. Families are many, and stand in it without. */
export const useTold = () => {
  const { can } = useMe()
  return useWorkers(!can('members.read'))
}

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
  const accounts = new Map(workers.map(({ userId, fullName, email }) => [userId, fullName || email]))
  const telling: Telling = {
    words: auditWordsOf(words),
    format,
    accounts,
    names: new Map([...branches.map(({ id, name }) => [id, name] as const), ...accounts]),
    currency: institute.currency,
  }
  const changes = changesIn(entry, telling)
  const page = pageOf(entry)
  const { entityId, entityType, createdAt } = entry
  return (
    <div className="row">
      <span className="grow">
        <span className="name plain">
          <Told>{sentenceOf(entry, telling, isAtRecord ? '' : undefined)}</Told>
        </span>
        {changes.map((change) => (
          <span key={change} className="report">
            <Told>{change}</Told>
          </span>
        ))}
        <span className="about">
          {isAtRecord ? format.moment(createdAt) : format.time(createdAt)}
          {wayOf(entry, telling).map((way) => ` · ${way}`)}
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
