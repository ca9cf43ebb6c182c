import { Link } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

/** The exams of the group, the newest first, and the way to its marks. */
export const Exams = ({ groupId }: { groupId: string }) => {
  const { gradebook: words } = useWords()
  const format = useFormat()
  const exams = usePages<Schemas['Exam']>(['/groups', groupId, 'exams'], (cursor, signal) => {
    const query = { limit: 5, ...(cursor && { cursor }) }
    return answer(api.GET('/groups/{groupId}/exams', { params: { path: { groupId }, query }, signal }))
  })
  return (
    <Section title={words.title} actions={<ButtonLink to={`/groups/${groupId}/gradebook`}>{words.all}</ButtonLink>}>
      <Rows pages={exams} label={words.title} keyOf={({ id }) => id} empty={words.none}>
        {({ id, title, heldAt, maxScore, publishedAt }) => (
          <Link href={`/groups/${groupId}/gradebook/${id}`} className="row">
            <span className="grow">
              <bdi className="name">{title}</bdi>
              <span className="about">
                <Dotted>
                  {heldAt !== null && format.date(heldAt)}
                  {words.outOf(format.number(maxScore))}
                </Dotted>
              </span>
            </span>
            {publishedAt === null && <Badge>{words.unpublished}</Badge>}
          </Link>
        )}
      </Rows>
    </Section>
  )
}
