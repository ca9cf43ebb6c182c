import { useCallback, useEffect, useState, type ReactNode } from 'react'
import { Route, Switch } from 'wouter'
import { renew, useSession, wasIn } from './api/session.ts'
import { Waiting } from './parts/loaded.tsx'
import { ForgotPassword } from './shell/sign-in/forgot-password.tsx'
import { SignIn } from './shell/sign-in/page.tsx'
import { applyColor } from './shell/house-color.ts'
import { instituteOfPage } from './words/institute-of-page.ts'
import { LanguageProvider, useFirstLanguage, useHasAllWords, type firstLanguage } from './words/language.tsx'
import { later, partMissing } from './shell/later.tsx'
import { useIsDark } from './shell/theme.ts'
import { Unreachable } from './shell/unreachable.tsx'

const loadSignedIn = () => import('./signed-in.tsx')
const SignedIn = later(loadSignedIn)

/** The build says whether it is for those who work on the console. */
declare const HAS_PARTS: boolean
const Parts = HAS_PARTS ? later(() => import('./screens/gallery/page.tsx')) : undefined

/** Waits for the words of all pages. */
const AllWords = ({ children }: { children: ReactNode }) => {
  const { complete } = useFirstLanguage()
  const isThere = useHasAllWords()
  const [problem, setProblem] = useState<unknown>()
  const load = useCallback(() => {
    complete()
      .catch(partMissing)
      .then(
        () => setProblem(undefined),
        (error: unknown) => setProblem(error),
      )
  }, [complete])
  useEffect(() => {
    if (!isThere) load()
  }, [isThere, load])
  if (isThere) return children
  return problem === undefined ? <Waiting /> : <Unreachable problem={problem} retry={load} />
}

/** Asks once who is signed in, and shows the page of that person, or where one signs in. */
const Gate = () => {
  const session = useSession()
  const { complete } = useFirstLanguage()
  const [problem, setProblem] = useState<unknown>()
  const ask = useCallback(() => {
    renew().then(
      () => setProblem(undefined),
      (error: unknown) => setProblem(error),
    )
  }, [])
  useEffect(() => {
    if (session === 'unknown') ask()
  }, [session, ask])
  useEffect(() => {
    // While the token is renewed, or somebody types their password. What fails now is asked for again when it is shown.
    if (session === 'out' || wasIn()) for (const load of [loadSignedIn, complete]) load().catch(() => {})
  }, [session, complete])
  if (session === 'unknown') {
    return problem === undefined ? <Waiting /> : <Unreachable problem={problem} retry={ask} />
  }
  if (session === 'out') return <SignIn />
  return (
    <AllWords>
      <SignedIn />
    </AllWords>
  )
}

/** The colours of the page before somebody is signed in. */
const Ground = () => {
  const isDark = useIsDark()
  useEffect(() => applyColor(instituteOfPage?.color ?? null, isDark), [isDark])
  return null
}

export const App = ({ language }: { language: Awaited<ReturnType<typeof firstLanguage>> }) => (
  <LanguageProvider first={language}>
    <Ground />
    <Switch>
      <Route path="/forgot-password">
        <ForgotPassword />
      </Route>
      {Parts && (
        <Route path="/parts">
          <AllWords>
            <Parts />
          </AllWords>
        </Route>
      )}
      <Route>
        <Gate />
      </Route>
    </Switch>
  </LanguageProvider>
)
