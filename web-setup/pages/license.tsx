import { useCallback, useEffect, useState } from 'react'
import { withNumbersInOrder } from '../../src/shared/isolate.ts'
import { BOUNDS } from '../../src/console/api/bounds.ts'
import { answer, api, type Schemas } from '../../src/console/api/client.ts'
import { useIntents } from '../../src/console/api/intents/use-intents.ts'
import { Problem } from '../../src/console/api/problem.ts'
import { isBoundToInstitute, selectInstitute, stayAt } from '../../src/console/api/session.ts'
import { Facts } from '../../src/console/parts/facts.tsx'
import { LongField } from '../../src/console/parts/field.tsx'
import { useForm } from '../../src/console/parts/form.tsx'
import { Waiting } from '../../src/console/parts/loaded.tsx'
import { Notice } from '../../src/console/parts/notice.tsx'
import { Alone } from '../../src/console/shell/alone.tsx'
import { useInstant } from '../../src/console/shell/now.ts'
import { useFormat, ZoneProvider } from '../../src/console/words/language.tsx'
import { announce } from '../parts/announce.ts'
import { useOwnWords } from '../parts/own-words.ts'
import { SignOut } from '../parts/sign-out.tsx'
import { SigningIn } from '../parts/signing-in.tsx'
import { Step } from '../parts/step.tsx'
import { ToldForm } from '../parts/told-form.tsx'
import { start } from '../start.tsx'
import { loadLicenseWords } from '../words/index.ts'

type License = Schemas['LicenseStatus']

type State = 'waiting' | 'foreign' | { problem: unknown } | { license: License }

/** The institute that somebody owns, of several in which they are members. */
const ownedInstitute = async (): Promise<string | undefined> => {
  const { memberships } = await answer(api.GET('/auth/me'))
  return memberships.find(({ roles }) => roles.some(({ roleKey }) => roleKey === 'owner'))?.tenantId
}

const stateNow = async (): Promise<State> => {
  try {
    return { license: await answer(api.GET('/license')) }
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 403) {
      return { problem: error instanceof Problem && error.status === 401 ? undefined : error }
    }
    const owned = isBoundToInstitute() ? undefined : await ownedInstitute()
    if (owned === undefined) return 'foreign'
    // The page begins anew then.
    await selectInstitute(owned)
    return 'waiting'
  }
}

/** Shows the licence to its owner, and to anybody else where to sign in. */
const LicensePage = () => {
  const words = useOwnWords('license')
  const [state, setState] = useState<State>('waiting')
  const look = useCallback(() => {
    stateNow().then(setState, (problem: unknown) => setState({ problem }))
  }, [])
  useEffect(look, [look])
  return (
    <Alone>
      {state === 'waiting' && <Waiting />}
      {state === 'foreign' && (
        <Step id="foreign" title={words.title} lead={words.foreign}>
          <SignOut look="primary">{words.another}</SignOut>
        </Step>
      )}
      {typeof state === 'object' && 'problem' in state && (
        <SigningIn title={words.title} lead={words.signInLead} problem={state.problem} look={look} />
      )}
      {typeof state === 'object' && 'license' in state && <Known license={state.license} onChange={setState} />}
    </Alone>
  )
}

interface KnownProps {
  license: License
  onChange: (state: State) => void
}

const Known = ({ license, onChange }: KnownProps) => {
  const words = useOwnWords('license')
  const format = useFormat()
  const { state, graceEndsAt, lastHeartbeatAt, lastError } = license
  const isLocked = state === 'locked'
  const now = useInstant()
  const form = <TokenForm isLocked={isLocked} onChange={onChange} />
  const isLate = graceEndsAt !== null && graceEndsAt <= now
  return (
    // What was put in makes another page of it.
    <Step key={`${state}.${license.licenseId}`} id="state" title={words[`${state}Title`]} lead={words[`${state}Lead`]}>
      {isLate && (
        <Notice meaning="warn">
          <span className="grow">{words.grace(format.moment(lastHeartbeatAt ?? graceEndsAt))}</span>
        </Notice>
      )}
      {(license.licenseId !== null || isLocked) && <About license={license} />}
      {lastError !== null && (
        <details id="last-error" aria-label={words.lastError}>
          <summary>{words.lastError}</summary>
          <p lang="en" dir="ltr">
            {lastError}
          </p>
        </details>
      )}
      {isLocked && (
        <div id="locked-help">
          <h2>{words.works}</h2>
          <p>{words.worksText}</p>
          <h2>{words.call}</h2>
          <p>{words.callText}</p>
        </div>
      )}
      {state === 'active' ? (
        <details id="another" aria-label={words.putAnother}>
          <summary>{words.putAnother}</summary>
          {form}
        </details>
      ) : (
        form
      )}
      <p className="below chips">
        <a className="button quiet" href="/">
          {words.open}
        </a>
        <SignOut look="quiet">{words.signOut}</SignOut>
      </p>
    </Step>
  )
}

const About = ({ license: { state, reason, plan, lastHeartbeatAt, licenseId, installId } }: { license: License }) => {
  const words = useOwnWords('license')
  const format = useFormat()
  return (
    <Facts look="inset">
      {(state === 'locked' || reason !== null) && (
        <>
          <dt>{words.reason}</dt>
          <dd>
            <bdi id="reason" className="fixed">
              {reason === null ? words.reasonNone : withNumbersInOrder(reason)}
            </bdi>
          </dd>
        </>
      )}
      <dt>{words.plan}</dt>
      <dd>
        <bdi className="fixed">{plan ?? words.planNone}</bdi>
      </dd>
      <dt>{words.heard}</dt>
      <dd>
        <span className="fixed">{lastHeartbeatAt === null ? words.heardNever : format.moment(lastHeartbeatAt)}</span>
      </dd>
      <dt>{words.number}</dt>
      <dd>
        <code id="license-id" className="fixed ltr">
          {licenseId}
        </code>
      </dd>
      <dt>{words.install}</dt>
      <dd>
        <code className="fixed ltr">{installId}</code>
      </dd>
    </Facts>
  )
}

/** Puts a licence in, or an unlock token where the institute is locked. */
const TokenForm = ({ isLocked, onChange }: { isLocked: boolean; onChange: (state: State) => void }) => {
  const words = useOwnWords('license')
  const intents = useIntents()
  /** Why a token was refused, by the server's word for it. */
  const refusals: Readonly<Partial<Record<string, string>>> = {
    used: words.tokenUsed,
    expired: words.tokenExpired,
    other_license: words.tokenOtherLicense,
    no_license: words.tokenNoLicense,
    wrong_kind: words.tokenOtherKind,
    malformed: words.tokenBroken,
    bad_signature: words.tokenBroken,
    other_key: words.tokenBroken,
  }
  const form = useForm({
    start: { token: '' },
    bounds: BOUNDS.LicenseUnlock,
    missing: words.tokenMissing,
    refusals: { LICENSE_INVALID: 'token' },
    refused: { token: ({ reason = '' }) => refusals[reason] ?? words.tokenNoVendor },
    send: async ({ token }) => {
      const body = { token }
      try {
        const license = await intents.once({ isLocked, body }, (header) =>
          answer(api.POST(isLocked ? '/license/unlock' : '/license', { params: { header }, body })),
        )
        announce(isLocked ? words.done : words.donePut)
        onChange({ license })
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 401) throw error
        onChange({ problem: undefined })
      }
    },
  })
  return (
    <ToldForm form={form} verb={form.isBusy ? words.tokenSending : isLocked ? words.unlockSubmit : words.putSubmit}>
      <LongField
        id="token"
        label={isLocked ? words.unlock : words.put}
        hint={isLocked ? words.unlockHint : words.putHint}
        isLtr
        {...form.field('token')}
      />
    </ToldForm>
  )
}

stayAt('/license')
start(
  loadLicenseWords,
  <ZoneProvider zone={new Intl.DateTimeFormat().resolvedOptions().timeZone}>
    <LicensePage />
  </ZoneProvider>,
)
