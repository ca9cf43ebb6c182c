import { answer, api } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { Section } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import type { Entry } from '../../records/audit/acts.ts'
import { EntryRow, useTold } from '../../records/audit/row.tsx'
import { useWords } from '../../words/language.tsx'

/** Who changed what, and when, the newest first. */
export const History = ({ studentId }: { studentId: string }) => {
  const { people } = useWords()
  const workers = useTold()
  const entries = usePages<Entry>(['/students', studentId, 'history'], (cursor, signal) => {
    const query = { entityType: 'student', entityId: studentId, limit: 5, ...(cursor && { cursor }) }
    return answer(api.GET('/audit', { params: { query }, signal }))
  })
  return (
    <Section title={people.history}>
      <Rows pages={entries} label={people.history} keyOf={({ id }) => id} empty={people.noHistory}>
        {(entry) => <EntryRow entry={entry} workers={workers.data ?? []} isAtRecord />}
      </Rows>
    </Section>
  )
}
