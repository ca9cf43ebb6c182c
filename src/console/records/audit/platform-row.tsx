import { Link } from 'wouter'
import { Dotted } from '../../parts/dotted.tsx'
import { Told } from '../../parts/told.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { kindOf, verbOf, type Kind } from '../../../shared/audit-acts.ts'
import { changesIn, nameIn } from '../../../shared/audit-changes.ts'
import type { Entry } from './acts.ts'
import { auditWordsOf } from './telling.ts'

interface PlatformEntryProps {
  entry: Entry
  /** How many renewals of sign-ins in a row it stands for. */
  count?: number
  /** What the account is called that did it; undefined: not known, or no account. */
  who: string | undefined
  /** What the institute is called; undefined: the page is that of the institute. */
  institute?: string
}

/** What somebody did on the platform or in an institute, as a sentence, with what became of each detail. */
export const PlatformEntryRow = ({ entry, count = 1, who, institute }: PlatformEntryProps) => {
  const words = useWords()
  const { history, platformWork } = words
  const { log } = platformWork
  const format = useFormat()
  const { actorType, tenantId, createdAt, metadata } = entry
  const nobody = {
    system: history.server,
    platform_admin: log.vendor,
    api_key: history.program,
  } as Partial<Record<string, string>>
  const what = log.kinds[kindOf(entry)] ?? history.kinds[kindOf(entry) as Kind] ?? history.something
  const said = { words: auditWordsOf(words), format, names: new Map<string, string>(), currency: 'ILS' }
  const reason = metadata !== null && 'reason' in metadata ? metadata.reason : undefined
  return (
    <div className="row">
      <span className="grow">
        <span className="name plain">
          <Told>
            {count > 1
              ? log.renewed(count)
              : history.did(who ?? nobody[actorType] ?? log.unknown, history.verbs[verbOf(entry)], what, nameIn(entry))}
          </Told>
        </span>
        {changesIn(entry, said).map((change) => (
          <span key={change} className="report">
            <Told>{change}</Told>
          </span>
        ))}
        {metadata !== null && 'impersonatedBy' in metadata && <span className="report">{log.inName}</span>}
        {typeof reason === 'string' && (
          <span className="report">
            <Told>{log.why(reason)}</Told>
          </span>
        )}
        <span className="about">
          <Dotted>
            {format.moment(createdAt)}
            {institute !== undefined && (tenantId === null ? log.ofPlatform : <bdi>{institute}</bdi>)}
          </Dotted>
        </span>
      </span>
      {institute !== undefined && tenantId !== null && (
        <Link className="link" href={`/platform/institutes/${tenantId}`}>
          {history.open}
        </Link>
      )}
    </div>
  )
}
