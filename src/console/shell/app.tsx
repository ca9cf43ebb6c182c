import { QueryClientProvider } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { Route, Switch } from 'wouter'
import type { Schemas } from '../api/client.ts'
import type { Problem } from '../api/problem.ts'
import { queryClient } from '../api/queries.ts'
import { renew, signOut, useSession } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { Waiting } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { ProblemNotice } from '../parts/problem-notice.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { ForgotPassword } from '../screens/sign-in/forgot-password.tsx'
import { SignIn, SignInForm } from '../screens/sign-in/page.tsx'
import { WhichInstitute } from '../screens/sign-in/which-institute.tsx'
import { Alone } from './alone.tsx'
import { Frame } from './frame.tsx'
import { applyColor } from './house-color.ts'
import { instituteOfPage } from './institute-of-page.ts'
import { LanguageProvider, useLanguage, useWords, ZoneProvider, type firstLanguage } from './language.tsx'
import { MeProvider, useMe } from './me.tsx'
import { Routes } from './routes.tsx'
import { useIsDark } from './theme.ts'
import { chosenLocale, isLocale } from '../words/locale.ts'

const AGAIN_MILLIS = 3000

const House = () => {
  const { institute, user } = useMe()
  const { locale, change } = useLanguage()
  // Who never chose a language in this browser has their own.
  useEffect(() => {
    if (chosenLocale() === undefined && isLocale(user.locale) && user.locale !== locale) change(user.locale)
  }, [user.locale, locale, change])
  const isDark = useIsDark()
  useEffect(() => applyColor(institute.color, isDark), [institute.color, isDark])
  return (
    <ZoneProvider zone={institute.timezone}>
      <Frame>
        <Routes />
      </Frame>
      <SignInAgain />
    </ZoneProvider>
  )
}

/** A session that has ended in the middle of work asks for the password over the page, which stays as it is. */
const SignInAgain = () => {
  const { signIn } = useWords()
  const { user } = useMe()
  const isEnded = useSession() === 'ended'
  return (
    <Sheet title={signIn.again} isOpen={isEnded} isFirm onClose={() => {}}>
      <p className="soft">{signIn.againText}</p>
      <SignInForm email={user.email} onDone={() => void queryClient.refetchQueries({ type: 'active' })} />
    </Sheet>
  )
}

const Unreachable = ({ problem, retry }: { problem: Problem; retry: () => void }) => {
  const { signIn } = useWords()
  useEffect(() => {
    const timer = setInterval(retry, AGAIN_MILLIS)
    return () => clearInterval(timer)
  }, [retry])
  return (
    <Alone>
      {problem.isUnreachable ? (
        <Page title={signIn.unreachable}>
          <p className="soft">{signIn.unreachableText}</p>
        </Page>
      ) : (
        <ProblemNotice problem={problem} onRetry={retry} />
      )}
    </Alone>
  )
}

const Locked = ({ institute }: { institute: Schemas['Institute'] }) => {
  const { shell } = useWords()
  return (
    <Alone>
      <Page title={shell.lockedTitle}>
        <p className="lead soft">{shell.lockedText}</p>
        {institute.lockedReason !== null && <p className="lead">{shell.lockedWhy(institute.lockedReason)}</p>}
        <div className="below">
          <a className="button primary" href="/license">
            {shell.license}
          </a>
        </div>
        <p className="below">
          <Button look="quiet" onPress={() => void signOut()}>
            {shell.signOut}
          </Button>
        </p>
      </Page>
    </Alone>
  )
}

/** Asks once who is signed in, and shows the page of that person, or where one signs in. */
const Gate = () => {
  const session = useSession()
  const [problem, setProblem] = useState<Problem>()
  const ask = useCallback(() => {
    renew().then(
      () => setProblem(undefined),
      (error: unknown) => setProblem(error as Problem),
    )
  }, [])
  useEffect(() => {
    if (session === 'unknown') ask()
  }, [session, ask])
  if (session === 'unknown') return problem ? <Unreachable problem={problem} retry={ask} /> : <Waiting />
  if (session === 'out') return <SignIn />
  return (
    <MeProvider
      waiting={<Waiting />}
      choose={(memberships) => <WhichInstitute memberships={memberships} />}
      locked={(institute) => <Locked institute={institute} />}
      failed={(error, retry) => <Unreachable problem={error} retry={retry} />}
    >
      <House />
    </MeProvider>
  )
}

/** The colours of the page before somebody is signed in. */
const Ground = () => {
  const isDark = useIsDark()
  useEffect(() => applyColor(instituteOfPage?.color ?? null, isDark), [isDark])
  return null
}

export const App = ({ language }: { language: Awaited<ReturnType<typeof firstLanguage>> }) => (
  <QueryClientProvider client={queryClient}>
    <LanguageProvider first={language}>
      <Ground />
      <Switch>
        <Route path="/forgot-password">
          <ForgotPassword />
        </Route>
        <Route>
          <Gate />
        </Route>
      </Switch>
    </LanguageProvider>
  </QueryClientProvider>
)
