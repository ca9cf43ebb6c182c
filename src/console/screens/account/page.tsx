import { useState } from 'react'
import { answer, api } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { useWords } from '../../words/language.tsx'
import { isOwner } from '../../shell/is-owner.ts'
import { useMe } from '../../shell/me.tsx'
import { InstituteList } from '../../shell/sign-in/which-institute.tsx'
import { Assistants } from './assistants.tsx'
import { Calendar } from './calendar.tsx'
import { Devices } from './devices.tsx'
import { Messages } from './messages.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { AboutYou, Looks } from './profile.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'
import { Teaching } from './teaching.tsx'

const OtherInstitutes = () => {
  const { account } = useWords()
  const { memberships, membership } = useMe()
  const [problem, setProblem] = useState<unknown>()
  const others = memberships.filter(({ tenantId, status }) => status === 'active' && tenantId !== membership.tenantId)
  if (others.length === 0) return null
  return (
    <Section title={account.institutes}>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <InstituteList memberships={others} onProblem={setProblem} />
    </Section>
  )
}

export const Screen = () => {
  const { account, looking } = useWords()
  const { preview } = useMe()
  if (preview === null) return <Own />
  return (
    <Page title={account.title}>
      <div className="card">
        <Empty>{looking.noAccount}</Empty>
      </div>
    </Page>
  )
}

const Own = () => {
  const { account } = useWords()
  const me = useMe()
  const profile = useGet(['/me'], (signal) => answer(api.GET('/me', { signal })))
  return (
    <Page title={account.title}>
      <div className="columns">
        <div>
          <Loaded query={profile}>{(known) => <AboutYou profile={known} />}</Loaded>
          {/* A phone shows the columns below one another: what one is told stands before what keeps the account safe. */}
          <Looks />
          <Messages />
          <Devices />
          {isOwner(me) && <Teaching />}
          <Calendar />
        </div>
        <div>
          <Password />
          <SecondFactor />
          <Passkeys />
          <Sessions />
          <Assistants />
          <OtherInstitutes />
        </div>
      </div>
    </Page>
  )
}
