import { useState } from 'react'
import { Link, useParams } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Button } from '../../parts/button.tsx'
import { Copied } from '../../parts/copied.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Badge, Notice } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { explain, ProblemNotice } from '../../parts/problem-notice.tsx'
import { ReasonConfirm } from '../../parts/reason-confirm.tsx'
import { toast } from '../../parts/toast.tsx'
import { Told } from '../../parts/told.tsx'
import { LicenseSheet } from '../../records/platform/license-sheet.tsx'
import { useInstituteNames, usePlans } from '../../records/platform/reads.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { Installs } from './installs.tsx'
import { UnlockToken } from './unlock-token.tsx'

type License = Schemas['License']

/** `/platform/licenses/:id`: a licence, and the servers that run under it. */
export const Screen = () => {
  const { id } = useParams<{ id: string }>()
  const { licenses: words } = useWords()
  const license = useGet(['/platform/licenses', id], (signal) =>
    answer(api.GET('/platform/licenses/{licenseId}', { params: { path: { licenseId: id } }, signal })),
  )
  const isGone = license.error instanceof Problem && license.error.status === 404
  return (
    <>
      <Back to="/platform/licenses" label={words.title} />
      {license.data && !isGone ? (
        <One license={license.data} />
      ) : (
        <Page title={words.title}>
          {isGone ? <ProblemNotice problem={license.error} /> : <Loaded query={license}>{() => null}</Loaded>}
        </Page>
      )}
    </>
  )
}

type Ask = 'lock' | 'token' | 'change'

const One = ({ license }: { license: License }) => {
  const all = useWords()
  const { licenses: words } = all
  const [asked, setAsked] = useState<Ask>()
  const close = () => setAsked(undefined)
  const name = useInstituteNames([license])(license.tenantId)
  const { id, state, token } = license
  const path = { licenseId: id }
  const lock = useChange('license', (reason: string, header) =>
    answer(api.POST('/platform/licenses/{licenseId}/lock', { params: { path, header }, body: { reason } })),
  )
  const unlock = useChange('license', (_: void, header) =>
    answer(api.POST('/platform/licenses/{licenseId}/unlock', { params: { path, header } })),
  )
  const open = () =>
    unlock.mutate(undefined, {
      onSuccess: () => toast(words.unlocked),
      onError: (error) => toast(explain(all, error)),
    })
  return (
    <Page
      title={words.of(name)}
      about={state === 'locked' && <Badge meaning="bad">{words.states.locked}</Badge>}
      actions={
        <>
          {state === 'locked' ? (
            <Button look="primary" isBusy={unlock.isPending} onPress={open}>
              {words.unlock}
            </Button>
          ) : (
            <Button onPress={() => setAsked('change')}>{words.change}</Button>
          )}
          <Menu
            label={all.shell.more}
            entries={[
              ...(state === 'locked'
                ? [{ id: 'change', label: words.change, onSelect: () => setAsked('change') }]
                : [{ id: 'unlock', label: words.unlock, onSelect: open }]),
              { id: 'token', label: words.unlockToken, onSelect: () => setAsked('token') },
              { id: 'lock', label: words.lock, icon: 'lock', isDangerous: true, onSelect: () => setAsked('lock') },
            ]}
          />
        </>
      }
    >
      <Lock of={license} />
      <div className="two">
        <Installs licenseId={id} />
        <Terms license={license} name={name} />
      </div>
      <Section title={words.token}>
        <div className="card padded">
          <Copied label={words.token} isLabelUnseen hint={words.tokenHint} text={token} />
        </div>
      </Section>
      <ReasonConfirm
        title={words.lockTitle(name)}
        verb={words.lock}
        label={all.platform.one.lockReason}
        isOpen={asked === 'lock'}
        onClose={close}
        onConfirm={async (reason) => {
          await lock.mutateAsync(reason)
          toast(words.locked)
        }}
      >
        <p>{words.lockText}</p>
      </ReasonConfirm>
      {asked === 'token' && <UnlockToken licenseId={id} onClose={close} />}
      {asked === 'change' && <LicenseSheet license={license} onClose={close} />}
    </Page>
  )
}

/** Since when its servers are locked, and what their people read. */
const Lock = ({ of: { lockedAt, lockedReason } }: { of: License }) => {
  const { licenses: words, platform } = useWords()
  const format = useFormat()
  if (lockedAt === null) return null
  const since = format.moment(lockedAt)
  return (
    <Notice meaning="bad" icon="lock">
      <span className="grow">
        <Told>{lockedReason === null ? words.lockedSince(since) : platform.one.locked(since, lockedReason)}</Told>
      </span>
    </Notice>
  )
}

const Terms = ({ license, name }: { license: License; name: string }) => {
  const { licenses: words, platform } = useWords()
  const format = useFormat()
  const plans = usePlans()
  const { tenantId, planId, maxInstalls, expiresAt, createdAt } = license
  const day = (instant: string): string => format.date(format.dateOf(instant))
  return (
    <Section title={platform.one.about}>
      <Facts>
        <dt>{words.institute}</dt>
        <dd>
          <Link className="link" href={`/platform/institutes/${tenantId}`}>
            <bdi>{name}</bdi>
          </Link>
        </dd>
        <dt>{words.plan}</dt>
        <dd>{planId === null ? words.noPlan : <bdi>{plans.data?.find(({ id }) => id === planId)?.name}</bdi>}</dd>
        <dt>{words.most}</dt>
        <dd>{format.number(maxInstalls)}</dd>
        <dt>{words.ends}</dt>
        <dd>{expiresAt === null ? words.never : day(expiresAt)}</dd>
        <dt>{words.issuedOn}</dt>
        <dd>{day(createdAt)}</dd>
      </Facts>
    </Section>
  )
}
