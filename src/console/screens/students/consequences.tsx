import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Dotted } from '../../parts/dotted.tsx'
import { Facts } from '../../parts/facts.tsx'
import type { Format } from '../../words/format.ts'
import { useFormat, useWords } from '../../words/language.tsx'

type Rehearsed = Schemas['StudentStatusConsequences']

interface ConsequencesProps {
  of: Rehearsed
  isPause: boolean
  isReading: boolean
}

const sumOf = (format: Format, sums: Rehearsed['paidAhead']): string =>
  format.list(sums.map((sum) => format.money(sum)))

/** What follows when a student pauses or leaves: the groups, the fees of the next month, and what was paid ahead. */
export const Consequences = ({ of: { groups, fees, paidAhead }, isPause, isReading }: ConsequencesProps) => {
  const { standing: words } = useWords()
  const format = useFormat()
  return (
    <section aria-label={words.follows} aria-busy={isReading}>
      <Facts look="inset">
        {groups.map(({ groupId, groupName, lastDay, lessons }) => (
          <Fact key={groupId} term={groupName}>
            {isPause ? (
              words.missed(lessons)
            ) : (
              <Dotted>
                {lastDay !== null && words.until(format.date(lastDay))}
                {words.stillComes(lessons)}
              </Dotted>
            )}
          </Fact>
        ))}
        {groups.length === 0 && <Fact term={words.follows}>{words.noGroups}</Fact>}
        {fees && (fees.before.length > 0 || fees.after.length > 0) && (
          <Fact term={words.feeOf(format.month(fees.month))}>{feeWords(format, words, fees)}</Fact>
        )}
        {paidAhead.length > 0 && <Fact term={words.paidAhead}>{words.paidAheadText(sumOf(format, paidAhead))}</Fact>}
      </Facts>
    </section>
  )
}

const feeWords = (
  format: Format,
  words: ReturnType<typeof useWords>['standing'],
  { before, after }: NonNullable<Rehearsed['fees']>,
): string => {
  const [former, now] = [before, after].map((sums) => (sums.length === 0 ? words.nothing : sumOf(format, sums))) as [
    string,
    string,
  ]
  return former === now ? words.same(now) : words.becomes(former, now)
}

const Fact = ({ term, children }: { term: string; children: ReactNode }) => (
  <>
    <dt>
      <bdi>{term}</bdi>
    </dt>
    <dd>
      <span>{children}</span>
    </dd>
  </>
)
