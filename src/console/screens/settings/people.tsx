import { useState } from 'react'
import { usePages } from '../../api/queries.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Segments } from '../../parts/choose.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useWords } from '../../words/language.tsx'
import { isOwner } from '../../shell/is-owner.ts'
import { useMe } from '../../shell/me.tsx'
import { Back } from '../../parts/back.tsx'
import { Invite } from './invite.tsx'
import { MemberRow } from './member-row.tsx'
import { useRoles, type Member } from './reads.ts'
import { readMembers, useWorkers } from '../../records/member/reads.ts'

/** Who may sign in, and as what. Families, who may be many, stand apart. */
export const Screen = () => {
  const { members: words, settings } = useWords()
  const { can } = useMe()
  const { filters, set } = useFilters(['who', 'step'])
  const [isInviting, setInviting] = useState(false)
  const isFamily = filters.who === 'families'
  const pages = usePages<Member>(['/members', { isFamily }], (cursor, signal) =>
    readMembers({ isFamily, cursor }, signal),
  )
  const steps = useSecondSteps()
  const isNarrowed = !isFamily && filters.step === 'none' && steps !== undefined
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
              <ButtonLink look="quiet" to="/settings/people/signed-in">
                {words.signedIn.title}
              </ButtonLink>
            )}
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
        {!isFamily && steps !== undefined && (steps.without.length > 0 || isNarrowed) && (
          <Notice meaning="info">
            <span className="grow">{words.withoutSecondStep(steps.without.length, steps.all)}</span>
            <Button look="quiet" onPress={() => set('step', isNarrowed ? '' : 'none')}>
              {isNarrowed ? words.showAll : words.showThem}
            </Button>
          </Notice>
        )}
        <Rows
          pages={isNarrowed ? { ...pages, rows: steps.without, hasMore: false } : pages}
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

/** For owners, where a role asks for a second step: who of those who work here has none. undefined: not for the reader. */
const useSecondSteps = (): { without: readonly Member[]; all: number } | undefined => {
  const me = useMe()
  const roles = useRoles(!isOwner(me))
  const isAsked = roles.data?.some(({ asksSecondFactor }) => asksSecondFactor) ?? false
  const workers = useWorkers(!isAsked)
  if (!isAsked || workers.data === undefined) return undefined
  const active = workers.data.filter(({ status }) => status === 'active')
  return { without: active.filter(({ hasSecondFactor }) => !hasSecondFactor), all: active.length }
}
