import { useCallback, useEffect, useRef, useState } from 'react'
import { Problem } from '../../../src/console/api/problem.ts'
import { besideApi, clocksHeard } from '../../../src/console/api/send.ts'
import { Button } from '../../../src/console/parts/button.tsx'
import { Clocks } from '../../../src/console/parts/clocks.tsx'
import { Field } from '../../../src/console/parts/field.tsx'
import { useForm } from '../../../src/console/parts/form.tsx'
import { Waiting } from '../../../src/console/parts/loaded.tsx'
import { NO_MAILBOX, serverOf, type Mailbox } from '../../../src/console/parts/mailbox.ts'
import { later } from '../../../src/console/shell/later.tsx'
import { useFirstLanguage } from '../../../src/console/words/language.tsx'
import { OWN_NAMES } from '../../../src/console/words/locale.ts'
import { LOCALES } from '../../../src/shared/locale.ts'
import { Cards } from '../../parts/cards.tsx'
import { useWeakness } from '../../parts/new-password.tsx'
import { useOwnWords } from '../../parts/own-words.ts'
import { Step } from '../../parts/step.tsx'
import { ToldForm } from '../../parts/told-form.tsx'
import { cautionAbout, rootAddress, setupTokenIn } from '../../rules/address.ts'
import { browserZone } from '../../../src/console/words/browser-zone.ts'
import { currencyFor } from '../../rules/currency.ts'
import { strengthOf } from '../../rules/password.ts'
import { completeWizardWords, type PageWords } from '../../words/index.ts'
import { Frame } from './frame.tsx'
import {
  faultsOf,
  readDraft,
  STEP_OF,
  STEPS,
  TEST,
  writeDraft,
  type MailState,
  type StepName,
  type Trial,
  type Typed,
} from './typed.ts'

const loadSteps = () => import('./steps.tsx')
const Steps = later(loadSteps)

/** Says why the setup code is not right, before anybody has pressed a button. */
const LOOK = 'look'
/** Goes another way: a backup of another server. */
const MOVE = 'move'

const START: Typed = {
  setupToken: '',
  name: '',
  slug: '',
  defaultLocale: null,
  timezone: browserZone(),
  currency: null,
  firstName: '',
  lastName: '',
  email: '',
  password: '',
  baseUrl: location.origin,
}

/**
 * Takes the setup token out of the address (`/setup/#token=…`), where others could see it and the history would keep it.
 * @returns '' where there is none
 */
const takeToken = (): string => {
  const given = location.hash.includes('token=') ? setupTokenIn(location.hash) : ''
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search)
  return given
}

const strengthIn = (typed: Typed, weaknessOf: ReturnType<typeof useWeakness>) =>
  strengthOf(typed.password, [typed.name, typed.slug, typed.firstName, typed.lastName, typed.email], weaknessOf)

const isIncomplete = (typed: Typed) => (name: StepName) => Object.keys(faultsOf(name, typed, 'good')).length > 0

/** The step to return to after a reload, but never beyond one that is incomplete: the password is never stored. */
const stepAfterReload = (typed: Typed): StepName => {
  const { step } = (history.state ?? {}) as { step?: string }
  const wanted = STEPS.findIndex((name) => name === step)
  const open = STEPS.findIndex(isIncomplete(typed))
  return STEPS[Math.max(0, open === -1 ? wanted : Math.min(wanted, open))] ?? 'language'
}

export interface Created {
  baseUrl: string
  name: string
  email: string
}

interface WizardProps {
  onCreated: (created: Created) => void
  /** There is an institute already. */
  onExists: () => void
  /** The institute is in a backup. */
  onMove: (setupToken: string) => void
}

/** The steps of the wizard, in one form that is sent at the end. */
export const Wizard = ({ onCreated, onExists, onMove }: WizardProps) => {
  const { words: all, locale, change, speak } = useFirstLanguage()
  const { setup, language, token: ofToken, clocks } = useOwnWords('wizard')
  const { wizard, wizardSteps, password, mail } = all as PageWords
  const weaknessOf = useWeakness()
  const [start] = useState((): Typed => {
    const kept = { ...START, ...readDraft().typed, password: '' }
    const given = takeToken()
    return given === '' ? kept : { ...kept, setupToken: given }
  })
  const [{ step, isFirst }, setPlace] = useState(() => ({ step: stepAfterReload(start), isFirst: true }))
  const [heard] = useState(clocksHeard)
  const [asksToken, setAsksToken] = useState(start.setupToken === '')
  const [accepted, setAccepted] = useState('')
  const [addresses, setAddresses] = useState<readonly string[]>([])
  const [mailState, setMailState] = useState<MailState>()
  const [trial, setTrial] = useState<Trial>()
  const [rulesOfMailbox, setRulesOfMailbox] = useState<Awaited<ReturnType<typeof loadSteps>>['mailboxRules']>()

  const goTo = useCallback((next: StepName, entry: 'new' | 'same' = 'new') => {
    setPlace({ step: next, isFirst: false })
    if (entry === 'new') history.pushState({ step: next }, '')
    else history.replaceState({ step: next }, '')
    window.scrollTo({ top: 0 })
  }, [])

  /** @returns whether the wizard goes on */
  const checkToken = async (typed: Typed): Promise<boolean> => {
    const token = setupTokenIn(typed.setupToken)
    if (token === accepted) return true
    const headers = { 'X-Setup-Token': token }
    try {
      const { addresses: known = [] } = await besideApi<{ addresses?: string[] }>('/setup/check', { headers })
      setAddresses(known)
      const [first] = known
      const root = rootAddress(typed.baseUrl)
      // Opened on the server itself, by an address that opens nowhere else.
      const isOwn = typed.baseUrl === location.origin && root !== null && cautionAbout(root) === 'loopback'
      if (first !== undefined && isOwn) form.set({ baseUrl: first })
    } catch (error) {
      if (error instanceof Problem && error.status === 404) {
        onExists()
        return false
      }
      if (error instanceof Problem && error.code === 'TOKEN_INVALID') setAsksToken(true)
      throw error
    }
    // Without an answer the step of the mail says nothing of how it is now.
    await besideApi<MailState>('/setup/mail', { headers }).then(setMailState, () => {})
    setAccepted(token)
    return true
  }

  const checking = useRef<Promise<boolean>>(undefined)
  /** It is asked once at a time: whoever presses the button meanwhile waits for the same answer. */
  const mayBegin = (typed: Typed): Promise<boolean> => {
    checking.current ??= checkToken(typed).finally(() => {
      checking.current = undefined
    })
    return checking.current
  }
  /** Why the code was not found right when the page was opened. */
  const refusal = useRef<unknown>(undefined)

  const createFrom = async (typed: Typed): Promise<void> => {
    const baseUrl = rootAddress(typed.baseUrl) ?? typed.baseUrl
    const email = typed.email.trim()
    const name = typed.name.trim()
    const hasMailbox = mailbox.typed.provider !== null && mailState?.canChange !== false
    const { create } = await loadSteps()
    const became = await create({
      institute: {
        setupToken: setupTokenIn(typed.setupToken),
        institute: {
          name,
          slug: typed.slug.trim().toLowerCase(),
          defaultLocale: typed.defaultLocale ?? locale,
          timezone: typed.timezone,
          currency: typed.currency ?? currencyFor(typed.timezone),
          baseUrl,
        },
        owner: { email, password: typed.password, firstName: typed.firstName.trim(), lastName: typed.lastName.trim() },
      },
      mail: hasMailbox ? serverOf(mailbox.typed, mailState?.providers ?? []) : undefined,
    })
    if (became === 'created') return onCreated({ baseUrl, email, name })
    if (became === 'exists') return onExists()
    goTo('mail')
    // A test mail says what it is that the server does not take.
    mailbox.submit(TEST)
  }

  const hasAllWords = wizardSteps !== undefined
  const isWaiting = step !== 'language' && !hasAllWords
  const form = useForm<Typed>({
    start,
    rules: (typed) => {
      // Until the words of the steps are there, the page waits: nothing can have been typed in one of them.
      if (isWaiting) return {}
      const strength = strengthIn(typed, weaknessOf)
      const told = { wizard, wizardSteps, password } as Parameters<NonNullable<ReturnType<typeof faultsOf>['name']>>[0]
      return Object.fromEntries(Object.entries(faultsOf(step, typed, strength)).map(([name, say]) => [name, say(told)]))
    },
    refusals: { TOKEN_INVALID: 'setupToken', TENANT_SLUG_TAKEN: 'slug' },
    refused: {
      setupToken: ofToken.wrong,
      ...(wizardSteps && {
        slug: ({ message }) => (message === '' ? wizardSteps.institute.slugTaken : wizardSteps.institute.slugWrong),
      }),
    },
    send: async (typed, action) => {
      if (action === LOOK) throw refusal.current
      if (isWaiting) return
      const next = STEPS[STEPS.indexOf(step) + 1]
      if (step === 'language' && !(await mayBegin(typed))) return
      if (action === MOVE) return onMove(setupTokenIn(typed.setupToken))
      if (next !== undefined) {
        form.set({ baseUrl: rootAddress(typed.baseUrl) ?? typed.baseUrl })
        return goTo(next)
      }
      const open = STEPS.find((name) => Object.keys(faultsOf(name, typed, strengthIn(typed, weaknessOf))).length > 0)
      if (open !== undefined) return goTo(open)
      try {
        await createFrom(typed)
      } catch (error) {
        const wrong = stepOfRefusal(error)
        if (wrong === 'language') setAsksToken(true)
        if (wrong !== undefined) goTo(wrong)
        throw error
      }
    },
  })
  const mailbox = useForm<Mailbox>({
    start: () => ({ ...NO_MAILBOX, ...readDraft().mailbox }),
    ...(mail && rulesOfMailbox?.(mail)),
    send: async (typed, action) => {
      setTrial(undefined)
      if (action !== TEST) return goTo('review')
      const { setupToken, email, name } = form.typed
      const to = email.trim()
      const isNamed = Object.keys(faultsOf('institute', { ...form.typed, slug: 'x' }, 'good')).length === 0
      const result = await besideApi<Omit<Trial, 'to'>>('/setup/mail/test', {
        body: {
          setupToken: setupTokenIn(setupToken) || '-',
          ...(typed.provider !== null && { mail: serverOf(typed, mailState?.providers ?? []) }),
          to,
          locale,
          ...(isNamed && { institute: name.trim() }),
        },
      })
      setTrial({ ...result, to })
    },
  })

  useEffect(() => {
    const { password: _, ...kept } = form.typed
    const { password: __, ...keptMailbox } = mailbox.typed
    writeDraft({ typed: kept, mailbox: keptMailbox })
  }, [form.typed, mailbox.typed])
  useEffect(() => {
    if (hasAllWords) return
    completeWizardWords()
    speak(locale)
  }, [hasAllWords, speak, locale])
  useEffect(() => {
    // What fails now is asked for again when it is shown.
    loadSteps().then(
      ({ mailboxRules }) => setRulesOfMailbox(() => mailboxRules),
      () => {},
    )
  }, [])
  const latest = useRef({ form, step, mayBegin })
  useEffect(() => {
    latest.current = { form, step, mayBegin }
  })
  useEffect(() => {
    history.replaceState({ step: latest.current.step }, '')
    // A wrong code is said at once, and not after everything else was filled in.
    const look = () => {
      const { typed } = latest.current.form
      if (typed.setupToken === '') return
      latest.current.mayBegin(typed).catch((error: unknown) => {
        refusal.current = error
        latest.current.form.submit(LOOK)
      })
    }
    if (latest.current.step === 'language') look()
    const onHash = () => {
      const given = takeToken()
      if (given !== '') latest.current.form.set({ setupToken: given })
      setAsksToken(given === '')
      setTimeout(look)
    }
    const onPop = ({ state }: PopStateEvent) => {
      const target = STEPS.find((name) => name === (state as { step?: string } | null)?.step)
      if (target !== undefined) goTo(target, 'same')
    }
    window.addEventListener('hashchange', onHash)
    window.addEventListener('popstate', onPop)
    return () => {
      window.removeEventListener('hashchange', onHash)
      window.removeEventListener('popstate', onPop)
    }
  }, [goTo])

  const place = STEPS.indexOf(step)
  const isMail = step === 'mail'
  const sent = isMail ? mailbox : form
  const isReview = step === 'review'
  const verb = isReview
    ? wizardSteps?.review[form.isBusy ? 'creating' : 'create']
    : step === 'language' && form.isBusy
      ? ofToken.checking
      : setup.next
  const back = STEPS[place - 1]
  return (
    <Frame place={place}>
      <p className="count">{setup.count(place + 1, STEPS.length)}</p>
      <ToldForm
        key={isMail ? 'mail' : 'institute'}
        form={sent}
        footer={
          <>
            <div className="actions onward">
              {back !== undefined && <Button onPress={() => goTo(back)}>{setup.back}</Button>}
              <Button type="submit" look="primary" isBusy={sent.isBusy}>
                {verb ?? setup.next}
              </Button>
            </div>
            {/* Enter in a field presses the first button that submits: not this one. */}
            {step === 'language' && (
              <p className="small spaced">
                {language.moving}{' '}
                <Button type="submit" value={MOVE} look="quiet">
                  {language.move}
                </Button>
              </p>
            )}
          </>
        }
      >
        {step === 'language' && (
          <Step id="step-language" title={language.title} lead={language.lead} isFirst={isFirst}>
            <Cards
              label={language.legend}
              options={LOCALES.map((id) => ({ id, label: OWN_NAMES[id], lang: id }))}
              value={locale}
              onChange={change}
            />
            <p className="small spaced">{language.hint}</p>
            <Clocks words={clocks} {...heard} />
            {asksToken && (
              <Field id="setup-token" label={ofToken.label} hint={ofToken.hint} isLtr {...form.field('setupToken')} />
            )}
          </Step>
        )}
        {step !== 'language' &&
          (!isWaiting ? (
            <Steps
              {...{ step, isFirst, form, mailbox, mailState, addresses, trial, goTo }}
              strength={strengthIn(form.typed, weaknessOf)}
            />
          ) : (
            <Waiting />
          ))}
      </ToldForm>
    </Frame>
  )
}

/** The step of the field that the server refuses; undefined: it is about none of them. */
const stepOfRefusal = (error: unknown): StepName | undefined => {
  if (!(error instanceof Problem)) return undefined
  if (error.code === 'TOKEN_INVALID') return 'language'
  if (error.code === 'TENANT_SLUG_TAKEN') return 'institute'
  const name = (Object.keys(STEP_OF) as (keyof Typed)[]).find((one) => error.refuses(one))
  return name && STEP_OF[name]
}
