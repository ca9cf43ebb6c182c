import { useState } from 'react'
import { usePages } from '../../api/queries.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Segments } from '../../parts/choose.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { Back } from '../../parts/back.tsx'
import { Invite } from './invite.tsx'
import { MemberRow } from './member-row.tsx'
import type { Member } from './reads.ts'
import { readMembers } from '../../records/member/reads.ts'

/** Who may sign in, and as what. Families, who may be many, stand apart. */
export const Screen = () => {
  const { members: words, settings } = useWords()
  const { can } = useMe()
  const { filters, set } = useFilters(['who'])
  const [isInviting, setInviting] = useState(false)
  const isFamily = filters.who === 'families'
  const pages = usePages<Member>(['/members', { isFamily }], (cursor, signal) =>
    readMembers({ isFamily, cursor }, signal),
  )
  return (
    <>
      <Back to="/settings" label={settings.title} />
      <Page
        title={words.title}
        actions={
          <>
            <ButtonLink look="quiet" to="/settings/roles">
              {words.roles}
            </ButtonLink>
            {can('members.manage') && (
              <Button look="primary" icon="plus" onPress={() => setInviting(true)}>
                {words.invite}
              </Button>
            )}
          </>
        }
      >
        <div className="filters">
          <Segments
            label={words.which}
            isLabelUnseen
            value={isFamily ? 'families' : 'work'}
            onChange={(who) => set('who', who === 'families' ? who : '')}
            options={[
              { id: 'work', label: words.work },
              { id: 'families', label: words.families },
            ]}
          />
        </div>
        <Rows
          pages={pages}
          label={words.title}
          empty={isFamily ? words.noFamilies : words.nobody}
          keyOf={({ membershipId }) => membershipId}
        >
          {(member) => <MemberRow member={member} />}
        </Rows>
        <Invite isOpen={isInviting} onClose={() => setInviting(false)} />
      </Page>
    </>
  )
}
