import { answer, api, type Schemas } from '../../api/client.ts'
import { readAll, useGet, usePages } from '../../api/queries.ts'
import { Section } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import type { Words } from '../../words/words.ts'
import { readMembers } from '../../records/member/reads.ts'

type Entry = Schemas['AuditEntry']

/** The names of those who may sign in, by their accounts. */
const useNames = (): ReadonlyMap<string, string> => {
  const { can } = useMe()
  const members = useGet(
    ['/members', 'names'],
    (signal) => readAll((cursor) => readMembers({ limit: 100, cursor }, signal)),
    { isOff: !can('members.read') },
  )
  return new Map(members.data?.map(({ userId, fullName }) => [userId, fullName]))
}

const sentenceOf = ({ people }: Words, entry: Entry, who: string, list: (items: string[]) => string): string => {
  const { before, after } = entry as { before: Record<string, unknown> | null; after: Record<string, unknown> | null }
  const changed = Object.keys(after ?? {}).filter(
    (field) => JSON.stringify(before?.[field]) !== JSON.stringify(after?.[field]),
  )
  const fields = changed.flatMap((field) => people.fields[field] ?? [])
  const say = people.did[entry.action]
  if (!say || (entry.action === 'students.update' && fields.length === 0)) return people.didOther(who)
  return say(who, list(fields))
}

/** Who changed what, and when, the newest first. */
export const History = ({ studentId }: { studentId: string }) => {
  const words = useWords()
  const { people } = words
  const format = useFormat()
  const names = useNames()
  const entries = usePages<Entry>(['/students', studentId, 'history'], (cursor, signal) => {
    const query = { entityType: 'student', entityId: studentId, limit: 5, ...(cursor && { cursor }) }
    return answer(api.GET('/audit', { params: { query }, signal }))
  })
  const whoOf = ({ actorUserId, actorType }: Entry): string =>
    actorUserId === null
      ? actorType === 'system'
        ? people.server
        : people.somebody
      : (names.get(actorUserId) ?? people.somebody)
  return (
    <Section title={people.history}>
      <Rows pages={entries} label={people.history} keyOf={({ id }) => id} empty={people.noHistory}>
        {(entry) => (
          <div className="row">
            <span className="grow">
              {sentenceOf(words, entry, whoOf(entry), (items) => format.list(items))}
              <span className="about">{format.moment(entry.createdAt)}</span>
            </span>
          </div>
        )}
      </Rows>
    </Section>
  )
}
