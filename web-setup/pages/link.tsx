import { useEffect, useState, type ReactNode } from 'react'
import { Problem } from '../../src/console/api/problem.ts'
import { accessToken } from '../../src/console/api/session.ts'
import { besideApi } from '../../src/console/api/send.ts'
import { Waiting } from '../../src/console/parts/loaded.tsx'
import { Alone } from '../../src/console/shell/alone.tsx'
import { keepEmail } from '../../src/console/shell/sign-in/known-email.ts'
import { useFirstLanguage } from '../../src/console/words/language.tsx'
import type { Locale } from '../../src/shared/locale.ts'
import { asked, keepInAddress } from '../address.ts'
import { useOwnWords } from '../parts/own-words.ts'
import { Step } from '../parts/step.tsx'
import { Told } from '../../src/console/parts/told.tsx'
import { askedLocale } from '../start.tsx'

type LinkName = 'invitation' | 'reset-password' | 'verify-email'

/** What the server says of a link whose token is good. */
export interface LinkFacts {
  locale: Locale
  institute: string | null
  inviter: string | null
  email: string
  /** The name that the institute has on record; empty: none. */
  fullName: string
  /** What accepting an invitation asks for. */
  needs: { fullName: boolean; password: boolean }
  signInUrl: string | null
}

/** @param isDead whether the answer says that the link is of no use any more */
const isDead = (error: unknown): boolean =>
  error instanceof Problem &&
  (error.code === 'TOKEN_INVALID' || error.code === 'INVITATION_INVALID' || error.concerns('token'))

/** Whether this page has signed somebody in. */
const isIn = (): boolean => accessToken() !== ''

interface LinkPageProps {
  name: LinkName
  /** What the link is for. */
  words: { title: string; doneTitle: string; doneText: string; invalidTitle: string; invalidText: string }
  lead: (facts: LinkFacts | undefined) => string
  /** Below the words of a link that is of no use any more. */
  renewal?: ReactNode
  /**
   * The form, which is sent when somebody presses its button and never by itself: scanners of mail open links.
   * @param props.using sends something with the token
   */
  children: (props: {
    facts: LinkFacts | undefined
    using: (send: (token: string) => Promise<unknown>) => Promise<void>
  }) => ReactNode
}

/** A page that a mail links to: what the link is for, one form, and the end. */
export const LinkPage = ({ name, words, lead, renewal, children }: LinkPageProps) => {
  const { page } = useOwnWords('links')
  const { speak } = useFirstLanguage()
  const [token] = useState(() => asked('token') ?? '')
  const [state, setState] = useState<'waiting' | 'ask' | 'done' | 'invalid' | 'incomplete'>(
    token === '' ? 'incomplete' : 'waiting',
  )
  const [facts, setFacts] = useState<LinkFacts>()
  useEffect(() => {
    if (token === '') return
    besideApi<LinkFacts>(`/links/${name}`, { headers: { 'X-Link-Token': token } }).then(
      (known) => {
        setFacts(known)
        // The page is in the language of the mail, unless the person chose another one here.
        if (askedLocale() === undefined) speak(known.locale)
        setState('ask')
      },
      // After any other failure the form works without these facts.
      (error: unknown) => setState(isDead(error) ? 'invalid' : 'ask'),
    )
  }, [token, name, speak])
  const using = async (send: (token: string) => Promise<unknown>) => {
    try {
      await send(token)
    } catch (error) {
      if (!isDead(error)) throw error
      return setState('invalid')
    }
    // The token is used up: it leaves the address and the history.
    keepInAddress('token', null)
    if (facts) keepEmail(facts.email)
    setState('done')
  }
  return (
    <Alone name={facts?.institute ?? undefined}>
      {state === 'waiting' && <Waiting />}
      {state === 'ask' && (
        <Step id="ask" title={words.title} lead={lead(facts)} isFirst>
          {facts && (
            <p className="about-link">
              <Told>{aboutOf(page, facts)}</Told>
            </p>
          )}
          {children({ facts, using })}
        </Step>
      )}
      {state === 'done' && (
        <Step id="done" title={words.doneTitle} lead={words.doneText}>
          {isIn() ? (
            <a className="button primary big wide" href="/">
              {page.goOn}
            </a>
          ) : (
            <a className="button primary big wide" href={facts?.signInUrl ?? '/'}>
              {page.signIn}
            </a>
          )}
        </Step>
      )}
      {state === 'invalid' && (
        <Step id="invalid" title={words.invalidTitle} lead={words.invalidText}>
          {renewal}
        </Step>
      )}
      {state === 'incomplete' && <Step id="incomplete" title={words.title} lead={page.tokenMissing} />}
    </Alone>
  )
}

const aboutOf = (
  page: ReturnType<typeof useOwnWords<'links'>>['page'],
  { institute, inviter, email }: LinkFacts,
): string => (institute === null || inviter !== null ? page.about(email) : page.aboutAt(email, institute))
