import { answer, api } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { PlatformEntryRow } from '../../records/audit/platform-row.tsx'
import { useUserNames } from '../../records/platform/reads.ts'
import { useWords } from '../../words/language.tsx'

const SHOWN = 8

/** What happened last, whoever did it. */
export const History = ({ tenantId }: { tenantId: string }) => {
  const { platform, platformWork } = useWords()
  const entries = useGet(['/platform/audit', 'last', tenantId], (signal) =>
    answer(api.GET('/platform/audit', { params: { query: { tenantId, limit: SHOWN } }, signal })),
  )
  const nameOf = useUserNames(entries.data?.data)
  return (
    <Section
      title={platform.one.history}
      actions={
        <ButtonLink look="quiet" to={`/platform/history?institute=${tenantId}`}>
          {platform.one.wholeHistory}
        </ButtonLink>
      }
    >
      <Loaded query={entries}>
        {({ data }) => (
          <div className="card">
            {data.length === 0 ? (
              <Empty>{platformWork.log.none}</Empty>
            ) : (
              <ul aria-label={platform.one.history}>
                {data.map((entry) => (
                  <li key={entry.id}>
                    <PlatformEntryRow entry={entry} who={nameOf(entry)} />
                  </li>
                ))}
              </ul>
            )}
          </div>
        )}
      </Loaded>
    </Section>
  )
}
