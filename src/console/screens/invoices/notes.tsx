import { answer, api } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { NoteRow } from '../../records/invoice/notes.tsx'

/** The credit notes of an invoice. */
export const Notes = ({ invoiceId }: { invoiceId: string }) => {
  const { accounts: words } = useWords()
  const notes = useGet(['/credit-notes', 'of', invoiceId], (signal) =>
    answer(api.GET('/credit-notes', { params: { query: { invoiceId, limit: 100 } }, signal })),
  )
  return (
    <Section title={words.creditNotes}>
      <Loaded query={notes}>
        {({ data }) => (
          <ul className="card" aria-label={words.creditNotes}>
            {data.map((note) => (
              <li key={note.id}>
                <NoteRow note={note} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  )
}
