import { answer, api } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Dotted } from '../../parts/dotted.tsx'
import { Section } from '../../parts/page.tsx'
import { useInstituteNames } from '../../records/platform/reads.ts'
import { useFormat, useWords } from '../../words/language.tsx'

const SHOWN = 5

/** Whose work piles up, and where. */
export const Lanes = () => {
  const { jobs: words } = useWords().platformWork
  const format = useFormat()
  const lanes = useGet(['/platform/lanes'], (signal) =>
    answer(api.GET('/platform/lanes', { params: { query: { limit: SHOWN } }, signal })),
  )
  const nameOf = useInstituteNames(lanes.data?.data)
  const waiting = lanes.data?.data.filter(({ queued }) => queued > 0) ?? []
  if (waiting.length === 0) return null
  return (
    <Section title={words.lanes}>
      <ul className="card" aria-label={words.lanes}>
        {waiting.map(({ lane, tenantId, queued, oldestQueuedAt }) => (
          <li key={lane}>
            <div className="row">
              <span className="grow">
                <bdi className="name">{tenantId === null ? words.ofPlatform : nameOf(tenantId)}</bdi>
                <span className="about">
                  <Dotted>
                    <bdi dir="ltr">
                      {lane
                        .split(':')
                        .slice(tenantId === null ? 0 : 1)
                        .join(':') || lane}
                    </bdi>
                    {words.waiting(format.number(queued))}
                    {oldestQueuedAt !== null && words.oldest(format.moment(oldestQueuedAt))}
                  </Dotted>
                </span>
              </span>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}
