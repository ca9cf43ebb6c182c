import { answer, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { Section } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useWorkers } from '../../records/member/reads.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { GrantRow } from './grant-row.tsx'
import { roleName } from './reads.ts'

type Grant = Schemas['MemberAssistantGrant']

/** Every assistant that acts in somebody's name here: who let it in, what they may do, when it came last. */
export const AllGrants = () => {
  const all = useWords()
  const { features: words, members } = all
  const format = useFormat()
  const workers = useWorkers(false)
  const pages = usePages<Grant>(['/assistant-grants'], (cursor, signal) =>
    answer(api.GET('/assistant-grants', { params: { query: { limit: 50, ...(cursor && { cursor }) } }, signal })),
  )
  const whoseOf = ({ membershipId, memberName }: Grant): string => {
    const roles = workers.data?.find((member) => member.membershipId === membershipId)?.roles ?? []
    const names = [...new Set(roles.map((role) => roleName(all, { key: role.roleKey, name: role.roleName })))]
    return names.length === 0 ? words.inNameOf(memberName) : words.inNameAs(memberName, format.list(names))
  }
  return (
    <Section title={words.allGrants}>
      <p className="soft spaced">{members.grantsAbout}</p>
      <Rows pages={pages} label={words.allGrants} keyOf={({ id }) => id} empty={<p>{words.noGrants}</p>}>
        {(grant) => <GrantRow grant={grant} membershipId={grant.membershipId} whose={whoseOf(grant)} />}
      </Rows>
    </Section>
  )
}
