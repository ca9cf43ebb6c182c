import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { answer, api } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { queryClient, useChange } from '../../api/queries.ts'
import { beginVisit } from '../../api/session.ts'
import { Back } from '../../parts/back.tsx'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Badge, Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { explain, ProblemNotice } from '../../parts/problem-notice.tsx'
import { ReasonConfirm } from '../../parts/reason-confirm.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { Told } from '../../parts/told.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { About } from './about.tsx'
import { Domains } from './domains.tsx'
import { Features } from './features.tsx'
import { History } from './history.tsx'
import { Licenses } from './licenses.tsx'
import { useOverview, type Overview } from './reads.ts'
import { SubscriptionSection } from './subscription.tsx'

/** `/platform/institutes/:id`: one institute, as the vendor sees it. */
export const Screen = () => {
  const { id } = useParams<{ id: string }>()
  const { platform } = useWords()
  const overview = useOverview(id)
  const isGone = overview.error instanceof Problem && overview.error.status === 404
  return (
    <>
      <Back to="/platform/institutes" label={platform.nav.institutes} />
      {overview.data && !isGone ? (
        <One overview={overview.data} />
      ) : (
        <Page title={platform.nav.institutes}>
          {isGone ? <ProblemNotice problem={overview.error} /> : <Loaded query={overview}>{() => null}</Loaded>}
        </Page>
      )}
    </>
  )
}

type Ask = 'visit' | 'lock' | 'archive'

const One = ({ overview }: { overview: Overview }) => {
  const all = useWords()
  const { one: words, institutes } = all.platform
  const [, go] = useLocation()
  const [asked, setAsked] = useState<Ask>()
  const close = () => setAsked(undefined)
  const { tenant } = overview
  const { id, name, status } = tenant
  const path = { id }
  const lock = useChange('tenant', (reason: string, header) =>
    answer(api.POST('/platform/tenants/{id}/lock', { params: { path, header }, body: { reason } })),
  )
  const unlock = useChange('tenant', (_: void, header) =>
    answer(api.POST('/platform/tenants/{id}/unlock', { params: { path, header } })),
  )
  const archive = useChange('tenant', (_: void, header) =>
    answer(api.POST('/platform/tenants/{id}/archive', { params: { path, header } })),
  )
  const visit = useChange('visit', (reason: string, header) =>
    answer(api.POST('/platform/tenants/{id}/impersonate', { params: { path, header }, body: { reason } })),
  )
  const isOpen = status !== 'archived'
  const isLocked = status === 'suspended'
  return (
    <Page
      name={name}
      title={<bdi>{name}</bdi>}
      about={status === 'active' ? undefined : <Badge meaning="bad">{institutes.states[status]}</Badge>}
      actions={
        isOpen && (
          <>
            {isLocked ? (
              <Button
                look="primary"
                isBusy={unlock.isPending}
                onPress={() =>
                  unlock.mutate(undefined, {
                    onSuccess: () => toast(words.unlockDone(name)),
                    onError: (error) => toast(explain(all, error)),
                  })
                }
              >
                {words.unlock}
              </Button>
            ) : (
              <Button look="primary" icon="user" onPress={() => setAsked('visit')}>
                {words.visit}
              </Button>
            )}
            <Menu
              label={all.shell.more}
              entries={[
                { id: 'lock', label: words.lock, icon: 'lock', isDangerous: true, onSelect: () => setAsked('lock') },
                { id: 'archive', label: words.archive, isDangerous: true, onSelect: () => setAsked('archive') },
              ]}
            />
          </>
        )
      }
    >
      <div className="notices">
        <Standing tenant={tenant} />
      </div>
      <div className="columns">
        <div>
          <SubscriptionSection overview={overview} />
          <Domains overview={overview} />
          <Licenses tenantId={id} mayAdd={isOpen} />
          <History tenantId={id} />
        </div>
        <div>
          <About overview={overview} />
          <Features overview={overview} />
        </div>
      </div>
      <ReasonConfirm
        title={words.visitTitle(name)}
        verb={words.visit}
        isOpen={asked === 'visit'}
        onClose={close}
        onConfirm={async (reason) => {
          const { accessToken, expiresAt } = await visit.mutateAsync(reason)
          queryClient.clear()
          beginVisit(accessToken, { tenantId: id, endsAt: expiresAt })
          go('/today')
        }}
      >
        <p>{words.visitText}</p>
      </ReasonConfirm>
      <ReasonConfirm
        title={words.lockTitle(name)}
        verb={words.lock}
        label={words.lockReason}
        isOpen={asked === 'lock'}
        onClose={close}
        onConfirm={async (reason) => {
          await lock.mutateAsync(reason)
          toast(words.lockDone(name))
        }}
      >
        <p>{words.lockText}</p>
      </ReasonConfirm>
      <Confirm
        title={words.archiveTitle(name)}
        verb={words.archive}
        isDangerous
        isOpen={asked === 'archive'}
        onClose={close}
        onConfirm={async () => {
          await archive.mutateAsync()
          toast(words.archiveDone(name))
        }}
      >
        <p>{words.archiveText}</p>
      </Confirm>
    </Page>
  )
}

/** Why nobody works in it. */
const Standing = ({ tenant }: { tenant: Overview['tenant'] }) => {
  const { one: words } = useWords().platform
  const format = useFormat()
  const { status, lockedAt, lockedReason, lockedByPlatformAdminId } = tenant
  if (status === 'archived') {
    return (
      <Notice meaning="info" icon="lock">
        <span className="grow">{words.archived}</span>
      </Notice>
    )
  }
  if (lockedAt === null) return null
  return (
    <Notice meaning="bad" icon="lock">
      <span className="grow">
        <Told>{words.locked(format.moment(lockedAt), lockedReason ?? '')}</Told>
        {lockedByPlatformAdminId === null && ` ${words.lockedBySelf}`}
      </span>
    </Notice>
  )
}
