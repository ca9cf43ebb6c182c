import { useCallback, useEffect, useState } from 'react'
import { Problem } from '../../src/console/api/problem.ts'
import type { Schemas } from '../../src/console/api/schemas.ts'
import { besideApi } from '../../src/console/api/send.ts'
import { stayAt } from '../../src/console/api/session.ts'
import { Waiting } from '../../src/console/parts/loaded.tsx'
import { ProblemNotice } from '../../src/console/parts/problem-notice.tsx'
import { later } from '../../src/console/shell/later.tsx'
import { useFirstWords } from '../../src/console/words/language.tsx'
import { useOwnWords } from '../parts/own-words.ts'
import { Step } from '../parts/step.tsx'
import { start } from '../start.tsx'
import { loadWizardWords } from '../words/index.ts'
import { Frame } from './wizard/frame.tsx'
import { Wizard, type Created } from './wizard/form.tsx'
import { readDraft, STEPS, writeDraft } from './wizard/typed.ts'

const Done = later(() => import('./wizard/done.tsx'))
const Move = later(() => import('./wizard/move.tsx'))
const Already = later(() => import('./wizard/already.tsx'))

type State =
  | 'waiting'
  | 'wizard'
  | 'already'
  | 'cloud'
  | 'signed-out'
  | { problem: unknown }
  | { move: string }
  | { done: Created | { baseUrl: string } }

const stateNow = async (): Promise<State> => {
  // Without the client of the API, which the first page does not wait for.
  const { deploymentMode, needsSetup } = await besideApi<Schemas['SetupStatus']>('/api/v1/setup/status')
  if (deploymentMode === 'cloud') return 'cloud'
  if (needsSetup) return 'wizard'
  const { done, isSignedOut } = readDraft()
  if (done) return { done }
  // It is said once.
  writeDraft({})
  return isSignedOut ? 'signed-out' : 'already'
}

/** Sets a new server up, and says what comes after it. */
const SetupPage = () => {
  const words = useOwnWords('wizard')
  const { faults } = useFirstWords()
  const [state, setState] = useState<State>('waiting')
  const look = useCallback(() => {
    stateNow().then(setState, (problem: unknown) => setState({ problem }))
  }, [])
  useEffect(look, [look])
  if (state === 'wizard') {
    return (
      <Wizard
        onCreated={(created) => {
          // The password leaves the page, and the tab keeps nothing but the address.
          writeDraft({ done: { baseUrl: created.baseUrl } })
          setState({ done: created })
        }}
        onMove={(setupToken) => setState({ move: setupToken })}
        onExists={() => {
          writeDraft({})
          setState('already')
        }}
      />
    )
  }
  if (typeof state === 'object' && 'done' in state) {
    return (
      <Frame place={STEPS.length}>
        <Done created={state.done} />
      </Frame>
    )
  }
  if (typeof state === 'object' && 'move' in state) {
    return (
      <Frame place={undefined}>
        <Move setupToken={state.move} onBack={() => setState('wizard')} />
      </Frame>
    )
  }
  return (
    <Frame place={undefined}>
      {state === 'waiting' && <Waiting />}
      {typeof state === 'object' && (
        <Step id="unreachable" title={state.problem instanceof Problem ? words.unreachable.title : faults.brokenTitle}>
          <ProblemNotice problem={state.problem} onRetry={look} />
        </Step>
      )}
      {state === 'signed-out' && (
        <Step id="signed-out" title={words.signedOut.title} lead={words.signedOut.text}>
          <a className="button primary" href="/">
            {words.signIn}
          </a>
        </Step>
      )}
      {state === 'already' && <Already />}
      {state === 'cloud' && <Step id="cloud" title={words.cloud.title} lead={words.cloud.text} />}
    </Frame>
  )
}

stayAt('/setup/')
start(loadWizardWords, <SetupPage />)
