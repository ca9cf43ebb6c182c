import { answer, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Download } from '../../parts/download.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useWords } from '../../words/language.tsx'
import { NarrowedDays, NarrowedTo, useNarrowing } from '../../records/narrowed/narrowed-to.tsx'
import { NoteRow } from '../../records/invoice/notes.tsx'
import { ReceiptTabs } from '../../records/receipt/tabs.tsx'

/** All credit notes, the newest first. */
export const Screen = () => {
  const { accounts: words } = useWords()
  const { filters, set } = useFilters(['number', 'from', 'to', 'branch', 'course', 'group'])
  const { number } = filters
  const narrow = { ...useNarrowing(filters), ...(number && { number }) }
  const notes = usePages<Schemas['CreditNote']>(['/credit-notes', 'list', narrow], (cursor, signal) =>
    answer(
      api.GET('/credit-notes', { params: { query: { ...narrow, limit: 50, ...(cursor && { cursor }) } }, signal }),
    ),
  )
  return (
    <Page title={words.creditNotes} actions={<Download path="/credit-notes" query={narrow} />}>
      <ReceiptTabs at="/credit-notes" />
      {Object.keys(filters).length > 0 && (
        <div className="filters">
          {number && (
            <Button icon="cross" onPress={() => set('number', '')}>
              <span className="ltr">{number}</span>
            </Button>
          )}
          <NarrowedDays from={narrow.from ?? ''} to={narrow.to ?? ''} names={['from', 'to']} set={set} />
          <NarrowedTo filters={filters} set={set} />
        </div>
      )}
      <Rows pages={notes} label={words.creditNotes} keyOf={({ id }) => id} empty={<p>{words.noNotes}</p>}>
        {(note) => <NoteRow note={note} hasInvoice />}
      </Rows>
    </Page>
  )
}
