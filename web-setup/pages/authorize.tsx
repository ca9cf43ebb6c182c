import { useCallback, useEffect, useState } from 'react'
import { answer, api, type Schemas } from '../../src/console/api/client.ts'
import { useIntents } from '../../src/console/api/intents/use-intents.ts'
import { Problem } from '../../src/console/api/problem.ts'
import { besideApi } from '../../src/console/api/send.ts'
import { stayAt } from '../../src/console/api/session.ts'
import { useForm } from '../../src/console/parts/form.tsx'
import { Waiting } from '../../src/console/parts/loaded.tsx'
import { Alone } from '../../src/console/shell/alone.tsx'
import { useOwnWords } from '../parts/own-words.ts'
import { SignOut } from '../parts/sign-out.tsx'
import { SigningIn } from '../parts/signing-in.tsx'
import { Step } from '../parts/step.tsx'
import { ToldForm } from '../parts/told-form.tsx'
import { start } from '../start.tsx'
import { loadAuthorizeWords } from '../words/index.ts'
import { ASKED, faultOfRequest } from './authorize/asked.ts'
import { Question, type Decide } from './authorize/question.tsx'

/** An assistant asks to act for whoever opens this page (OAuth 2.1, the authorization endpoint). */

interface Known {
  context: Schemas['ConsentContext']
  email: string
  /** The error of OAuth with which a request goes back that cannot be granted; '' when it can. */
  fault: string
}

type Refusal = 'invalidIncomplete' | 'invalidClient' | 'invalidRedirect'

type State = 'waiting' | 'done' | { refusal: Refusal } | { problem: unknown } | Known

/** Whether the address says who asks, and where the answer goes. */
const IS_WHOLE = ASKED.clientId !== '' && ASKED.redirectUri !== ''

const contextOf = (resource: string | undefined): Promise<Schemas['ConsentContext']> => {
  const { clientId, redirectUri, scope } = ASKED
  return answer(
    api.GET('/oauth/consent-context', {
      params: { query: { clientId, redirectUri, ...(scope && { scope }), ...(resource && { resource }) } },
    }),
  )
}

/** Also of a request for another server than this one, which goes back. */
const known = async (): Promise<Known> => {
  let fault = faultOfRequest()
  const context = await contextOf(ASKED.resource).catch((error: unknown) => {
    if (!(error instanceof Problem) || !error.concerns('resource')) throw error
    fault ||= 'invalid_target'
    return contextOf(undefined)
  })
  const { user } = await answer(api.GET('/auth/me'))
  return { context, email: user.email, fault }
}

const isSignedOut = (error: unknown): boolean =>
  error instanceof Problem && (error.status === 401 || error.status === 403)

/** What the page says of a request that the server refuses. */
const stateAfter = (error: unknown): State => {
  if (isSignedOut(error)) return { problem: undefined }
  if (!(error instanceof Problem)) return { problem: error }
  if (error.code === 'OAUTH_CLIENT_NOT_FOUND') return { refusal: 'invalidClient' }
  if (error.code === 'OAUTH_INVALID_REDIRECT_URI') return { refusal: 'invalidRedirect' }
  return error.status === 422 ? { refusal: 'invalidIncomplete' } : { problem: error }
}

/** Shows the request to whoever is signed in, and to anybody else where to sign in. */
const Authorize = () => {
  const words = useOwnWords('authorize')
  const intents = useIntents()
  const [state, setState] = useState<State>(IS_WHOLE ? 'waiting' : { refusal: 'invalidIncomplete' })
  const look = useCallback(() => {
    if (!IS_WHOLE) return
    known().then(setState, (error: unknown) => setState(stateAfter(error)))
  }, [])
  useEffect(look, [look])
  /** Goes where the answer belongs. A program on the device opens beside this page, which stays. */
  const leave = (address: string): void => {
    setState('done')
    location.assign(address)
  }
  const decide: Decide = async (decision) => {
    const body = { ...decision, ...ASKED, codeChallengeMethod: 'S256' as const }
    try {
      const { redirectTo } = await intents.once(body, (header) =>
        answer(api.POST('/oauth/consent', { params: { header }, body })),
      )
      leave(redirectTo)
    } catch (error) {
      if (error instanceof Problem && error.code === 'OAUTH_ACCESS_DENIED') return look()
      const next = stateAfter(error)
      // What may be over in a moment is said where one decides.
      if (typeof next === 'object' && 'problem' in next && next.problem !== undefined) throw error
      setState(next)
    }
  }
  /** Sends a faulty request back to the client, whose redirect URI the server knows. */
  const sendBack = async (fault: string): Promise<void> => {
    const { issuer } = await besideApi<{ issuer: string }>('/.well-known/oauth-authorization-server')
    const { redirectUri, state: given } = ASKED
    const reply = new URLSearchParams({ error: fault, ...(given !== undefined && { state: given }), iss: issuer })
    leave(`${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${reply}`)
  }
  return (
    <Alone>
      {state === 'waiting' && <Waiting />}
      {state === 'done' && <Step id="done" title={words.doneTitle} lead={words.doneText} />}
      {typeof state === 'object' && 'refusal' in state && (
        <Step id="invalid" title={words.invalidTitle} lead={words[state.refusal]} />
      )}
      {typeof state === 'object' && 'problem' in state && (
        <SigningIn title={words.signInTitle} lead={words.signInLead} problem={state.problem} look={look} />
      )}
      {typeof state === 'object' && 'context' in state && (
        <Answer key={state.email} {...state} decide={decide} sendBack={() => sendBack(state.fault)} />
      )}
    </Alone>
  )
}

interface AnswerProps extends Known {
  decide: Decide
  sendBack: () => Promise<void>
}

const Answer = ({ context, email, fault, decide, sendBack }: AnswerProps) => {
  const words = useOwnWords('authorize')
  if (fault !== '') {
    return (
      <Step id="faulty" title={words.faultyTitle} lead={words.faultyText}>
        <Back send={sendBack} />
      </Step>
    )
  }
  if (!context.tenants.some(({ allowed }) => allowed)) {
    return (
      <Step id="nowhere" title={words.nowhereTitle} lead={words.nowhereText}>
        <Back send={() => decide({ approve: false })} isOther />
      </Step>
    )
  }
  return <Question context={context} email={email} decide={decide} />
}

/** Goes back to the assistant without what it asked for. */
const Back = ({ send, isOther = false }: { send: () => Promise<void>; isOther?: boolean }) => {
  const words = useOwnWords('authorize')
  const form = useForm({ start: {}, send })
  return (
    <ToldForm
      form={form}
      verb={form.isBusy ? words.sending : words.back}
      more={isOther && <SignOut>{words.another}</SignOut>}
    >
      {null}
    </ToldForm>
  )
}

stayAt(location.pathname + location.search)
start(loadAuthorizeWords, <Authorize />)
