import type { Schemas } from '../../api/client.ts'
import { Section } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

type Skipped = Schemas['BillingRun']['skipped'][number]

/** So many names stand beside a reason; its figure counts all. */
const NAMED = 12

interface SkippedOnesProps {
  skipped: readonly Skipped[]
  /** The fees that concerned nobody. */
  uncharged?: Schemas['BillingRun']['uncharged']
}

/** Who is not billed, by the reason. Whoever was billed before is what a second run is about, and only counted. */
export const SkippedOnes = ({ skipped, uncharged = [] }: SkippedOnesProps) => {
  const { invoices: words } = useWords()
  const before = skipped.filter(({ reason }) => reason === 'already_billed').length
  const others = new Map<Skipped['reason'], Skipped[]>()
  for (const one of skipped) {
    if (one.reason !== 'already_billed') others.set(one.reason, [...(others.get(one.reason) ?? []), one])
  }
  if (skipped.length === 0 && uncharged.length === 0) return null
  return (
    <Section title={words.skipped}>
      {before > 0 && <p className="soft">{words.billedBefore(before)}</p>}
      {others.size + uncharged.length > 0 && (
        <ul className="card" aria-label={words.skipped}>
          {[...others].map(([reason, ofReason]) => (
            <ForReason key={reason} reason={reason} skipped={ofReason} />
          ))}
          {uncharged.map(({ feeScheduleId, name, reason }) => (
            <li key={feeScheduleId}>
              <div className="row">
                <span className="grow">
                  <bdi className="name">{name}</bdi>
                  <span className="about">{words.uncharged[reason]}</span>
                </span>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

const ForReason = ({ reason, skipped }: { reason: Skipped['reason']; skipped: readonly Skipped[] }) => {
  const { invoices: words } = useWords()
  const format = useFormat()
  const names = [...new Map(skipped.map(({ studentId, studentName }) => [studentId, studentName])).values()]
  const more = names.length - NAMED
  return (
    <li>
      <div className="row">
        <div className="grow">
          <p>{words.skipReasons[reason]}</p>
          <p className="soft">{format.list(more > 0 ? [...names.slice(0, NAMED), words.andMore(more)] : names)}</p>
        </div>
        <bdi className="amount">{format.number(names.length)}</bdi>
      </div>
    </li>
  )
}
