import { useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import type { Schemas } from '../../api/client.ts'
import { selectInstitute, signOut } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Alone } from '../alone.tsx'
import { useWords } from '../../words/language.tsx'

/** Lets a member of several institutes choose. */
export const WhichInstitute = ({
  memberships,
  isPlatformAdmin = false,
}: {
  memberships: readonly Schemas['MembershipSummary'][]
  /** Whether the platform is there to go back to. */
  isPlatformAdmin?: boolean
}) => {
  const { signIn: words, shell, platform } = useWords()
  const [problem, setProblem] = useState<unknown>()
  const active = memberships.filter(({ status }) => status === 'active')
  const out = isPlatformAdmin ? (
    <p className="below">
      <Button onPress={() => void selectInstitute(null).catch(setProblem)}>{platform.title}</Button>
    </p>
  ) : (
    <p className="below">
      <Button look="quiet" onPress={() => void signOut().catch(setProblem)}>
        {shell.signOut}
      </Button>
    </p>
  )
  if (active.length === 0) {
    return (
      <Alone>
        <Page title={words.noInstitute}>
          <p className="lead soft">{words.noInstituteText}</p>
          {out}
        </Page>
      </Alone>
    )
  }
  return (
    <Alone>
      <Page title={words.which}>
        <p className="lead soft">{words.whichText}</p>
        {problem !== undefined && <ProblemNotice problem={problem} />}
        <InstituteList memberships={active} onProblem={setProblem} />
        {out}
      </Page>
    </Alone>
  )
}

interface InstituteListProps {
  memberships: readonly Schemas['MembershipSummary'][]
  onProblem: (problem: unknown) => void
}

export const InstituteList = ({ memberships, onProblem }: InstituteListProps) => {
  const { shell } = useWords()
  return (
    <ul className="card">
      {memberships.map(({ tenantId, tenantName, roles }) => (
        <li key={tenantId}>
          <AriaButton className="row plain" onPress={() => void selectInstitute(tenantId).catch(onProblem)}>
            <span className="grow">
              <bdi className="name">{tenantName}</bdi>
              <span className="about">
                {roles.map(({ roleKey, roleName }) => shell.roles[roleKey ?? ''] ?? roleName).join(' · ')}
              </span>
            </span>
            <Icon name="forward" />
          </AriaButton>
        </li>
      ))}
    </ul>
  )
}
