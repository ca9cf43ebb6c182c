import { answer, api } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useWords } from '../../words/language.tsx'
import { GrantRow } from './grant-row.tsx'
import type { Member } from './reads.ts'

const MOST = 100

/** The assistants that act in the name of somebody, each with a way to end it. */
export const MemberGrants = ({ member, name, onClose }: { member: Member; name: string; onClose: () => void }) => {
  const { members: words, shell } = useWords()
  const id = member.membershipId
  const grants = useGet(['/members', id, 'grants'], (signal) =>
    answer(api.GET('/members/{id}/grants', { params: { path: { id }, query: { limit: MOST } }, signal })),
  )
  return (
    <Sheet title={words.grantsOf(name)} isOpen onClose={onClose}>
      <p className="soft">{words.grantsAbout}</p>
      <Loaded query={grants}>
        {({ data }) => (
          <div className="card">
            {data.length === 0 ? (
              <Empty>{words.noGrants}</Empty>
            ) : (
              <ul aria-label={words.grants}>
                {data.map((grant) => (
                  <li key={grant.id}>
                    <GrantRow grant={grant} membershipId={id} />
                  </li>
                ))}
              </ul>
            )}
          </div>
        )}
      </Loaded>
      <div className="actions">
        <Button onPress={onClose}>{shell.close}</Button>
      </div>
    </Sheet>
  )
}
