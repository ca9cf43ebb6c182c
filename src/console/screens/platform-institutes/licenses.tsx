import { useState } from 'react'
import { useLocation } from 'wouter'
import { answer, api } from '../../api/client.ts'
import { readAll, useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { LicenseRow } from '../../records/platform/license-row.tsx'
import { LicenseSheet } from '../../records/platform/license-sheet.tsx'
import { useWords } from '../../words/language.tsx'

/** The licences of one institute, which are few. */
export const Licenses = ({ tenantId, mayAdd }: { tenantId: string; mayAdd: boolean }) => {
  const { platform, licenses: words } = useWords()
  const [, go] = useLocation()
  const [isAdding, setAdding] = useState(false)
  const licenses = useGet(['/platform/licenses', 'of', tenantId], (signal) =>
    readAll((cursor) =>
      answer(
        api.GET('/platform/licenses', {
          params: { query: { tenantId, limit: 100, ...(cursor && { cursor }) } },
          signal,
        }),
      ),
    ),
  )
  return (
    <Section
      title={platform.one.licenses}
      actions={
        mayAdd && (
          <Button look="quiet" icon="plus" onPress={() => setAdding(true)}>
            {words.add}
          </Button>
        )
      }
    >
      <Loaded query={licenses}>
        {(all) => (
          <div className="card">
            {all.length === 0 ? (
              <Empty>{platform.one.noLicenses}</Empty>
            ) : (
              <ul aria-label={platform.one.licenses}>
                {all.map((license) => (
                  <li key={license.id}>
                    <LicenseRow license={license} />
                  </li>
                ))}
              </ul>
            )}
          </div>
        )}
      </Loaded>
      {isAdding && (
        <LicenseSheet
          tenantId={tenantId}
          onClose={() => setAdding(false)}
          onDone={({ id }) => go(`/platform/licenses/${id}`)}
        />
      )}
    </Section>
  )
}
