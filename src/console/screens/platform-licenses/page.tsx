import { useState } from 'react'
import { useLocation } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Download } from '../../parts/download.tsx'
import { Page } from '../../parts/page.tsx'
import { RecordChoice } from '../../parts/record-choice.tsx'
import { Rows } from '../../parts/rows.tsx'
import { LicenseRow } from '../../records/platform/license-row.tsx'
import { LicenseSheet } from '../../records/platform/license-sheet.tsx'
import { ANY_INSTITUTE, useInstituteNames } from '../../records/platform/reads.ts'
import { useFilters } from '../../shell/filters.ts'
import { useWords } from '../../words/language.tsx'

const ANY = ''

/** `/platform/licenses`: who runs a server of their own. */
export const Screen = () => {
  const { licenses: words, platform } = useWords()
  const [, go] = useLocation()
  const [isAdding, setAdding] = useState(false)
  const { filters, set } = useFilters(['institute'])
  const query = { ...(filters.institute && { tenantId: filters.institute }) }
  const pages = usePages<Schemas['License']>(['/platform/licenses', query], (cursor, signal) =>
    answer(
      api.GET('/platform/licenses', { params: { query: { ...query, limit: 50, ...(cursor && { cursor }) } }, signal }),
    ),
  )
  const nameOf = useInstituteNames(pages.rows)
  const chosen = filters.institute
  return (
    <Page
      title={words.title}
      about={words.about}
      actions={
        <>
          <Download path="/platform/licenses" query={query} />
          <Button look="primary" icon="plus" onPress={() => setAdding(true)}>
            {words.add}
          </Button>
        </>
      }
    >
      <div className="filters">
        <RecordChoice
          label={words.institute}
          source={ANY_INSTITUTE}
          first={[{ id: ANY, label: platform.any }]}
          value={chosen ?? ANY}
          chosen={chosen === undefined ? undefined : { id: chosen, label: nameOf(chosen) }}
          onChange={(id) => set('institute', id)}
        />
      </div>
      <Rows pages={pages} label={words.title} keyOf={({ id }) => id} empty={<p>{words.none}</p>}>
        {(license) => <LicenseRow license={license} institute={nameOf(license.tenantId)} />}
      </Rows>
      {isAdding && (
        <LicenseSheet onClose={() => setAdding(false)} onDone={({ id }) => go(`/platform/licenses/${id}`)} />
      )}
    </Page>
  )
}
