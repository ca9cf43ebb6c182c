import { useState } from 'react'
import { answer, api, type Schemas } from './api/client.ts'
import { useGet } from './api/queries.ts'
import { currentVisit, selectInstitute, signOut } from './api/session.ts'
import { Button } from './parts/button.tsx'
import { Notice } from './parts/notice.tsx'
import { Page } from './parts/page.tsx'
import { ProblemNotice } from './parts/problem-notice.tsx'
import { Alone } from './shell/alone.tsx'
import { isOwner } from './shell/is-owner.ts'
import { later } from './shell/later.tsx'
import { InstituteList } from './shell/sign-in/which-institute.tsx'
import { useWords, ZoneProvider } from './words/language.tsx'

const TakeAlong = later(() => import('./screens/settings/take-along.tsx'))

/** Where the vendor's tokens are put in: a cloud has no licence. */
const LicenseLink = () => {
  const { shell } = useWords()
  const license = useGet(['/license'], (signal) => answer(api.GET('/license', { signal })))
  if (!license.data?.licenseId) return null
  return (
    <div className="below chips">
      <a className="button" href="/license">
        {shell.license}
      </a>
    </div>
  )
}

interface LockedProps {
  institute: Schemas['Institute']
  me: Pick<Schemas['CurrentUser'], 'activeTenantId' | 'memberships' | 'isPlatformAdmin'>
}

/**
 * An institute that the vendor has locked: why, whom to call, and what stays open. Its owner takes its records along;
 * whoever has another institute, or the platform, goes there.
 */
export const Locked = ({ institute, me: { activeTenantId, memberships, isPlatformAdmin } }: LockedProps) => {
  const { account, platform, shell } = useWords()
  const [problem, setProblem] = useState<unknown>()
  const own = memberships.find(({ tenantId }) => tenantId === activeTenantId)
  const isOwners = own !== undefined && isOwner({ membership: own })
  const isVisit = currentVisit() !== undefined
  const others = isVisit
    ? []
    : memberships.filter(({ tenantId, status }) => tenantId !== activeTenantId && status === 'active')
  return (
    <ZoneProvider zone={institute.timezone}>
      <Alone name={institute.name}>
        <Page title={shell.lockedTitle}>
          <p className="lead soft">{shell.lockedText}</p>
          {institute.lockedReason !== null && (
            <Notice meaning="bad" icon="lock">
              <span className="grow">{shell.lockedWhy(institute.lockedReason)}</span>
            </Notice>
          )}
          <p className="lead">{isOwners ? shell.lockedCall : shell.lockedTell}</p>
          {isOwners && <LicenseLink />}
          {isOwners && !isVisit && <TakeAlong />}
          {others.length > 0 && (
            <section className="below">
              <h2>{account.institutes}</h2>
              <InstituteList memberships={others} onProblem={setProblem} />
            </section>
          )}
          {problem !== undefined && <ProblemNotice problem={problem} />}
          <p className="below chips">
            {isPlatformAdmin && !isVisit && (
              <Button onPress={() => void selectInstitute(null).catch(setProblem)}>{platform.title}</Button>
            )}
            <Button look="quiet" onPress={() => void signOut().catch(setProblem)}>
              {isVisit ? platform.endVisit : shell.signOut}
            </Button>
          </p>
        </Page>
      </Alone>
    </ZoneProvider>
  )
}
