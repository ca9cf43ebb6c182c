import { useState } from 'react'
import { signOut } from '../../api/session.ts'
import { answer, api } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Alone } from '../../shell/alone.tsx'
import { useLanguage, useWords } from '../../words/language.tsx'
import { AddPasskey } from './add-passkey.tsx'
import { obstacleOf, usePasskeys } from './passkeys.tsx'
import { SetUpCodes } from './set-up-codes.tsx'

/**
 * Stands at whatever address was opened until there is a second step. Then the page begins anew, and goes on: in the
 * language that was chosen meanwhile, which the account could not be told of before.
 */
const useGoOn = (): (() => void) => {
  const { locale } = useLanguage()
  const [first] = useState(locale)
  return () => {
    const told = locale === first ? Promise.resolve() : api.PATCH('/me', { body: { locale } })
    void told.catch(() => undefined).then(() => location.reload())
  }
}

/** A role asks for a second step, and this session has none: it is set up here, and nothing else can be done. */
export const Screen = ({ isImpersonated }: { isImpersonated: boolean }) => {
  const { factor: words } = useWords()
  const [problem, setProblem] = useState<unknown>()
  const [way, setWay] = useState<'codes' | 'passkey'>()
  const goOn = useGoOn()
  const out = (
    <p className="below">
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <Button look="quiet" onPress={() => void signOut().catch(setProblem)}>
        {words.signOut}
      </Button>
    </p>
  )
  if (way === 'codes') {
    return (
      <SetUpCodes
        frame={(title, step) => (
          <Alone>
            <Page title={title} isNext>
              {step}
            </Page>
          </Alone>
        )}
        onCancel={() => setWay(undefined)}
        onDone={goOn}
      />
    )
  }
  return (
    <Alone>
      <Page title={way === 'passkey' ? words.addPasskey : words.needed} isNext={way === 'passkey'}>
        {way === 'passkey' ? (
          <AddPasskey onCancel={() => setWay(undefined)} onDone={goOn} />
        ) : (
          <>
            {isImpersonated ? <p className="lead soft">{words.neededOther}</p> : <Ways choose={setWay} />}
            {out}
          </>
        )}
      </Page>
    </Alone>
  )
}

const Ways = ({ choose }: { choose: (way: 'codes' | 'passkey') => void }) => {
  const all = useWords()
  const { factor: words } = all
  const passkeys = usePasskeys()
  const factor = useGet(['/me/second-factor'], (signal) => answer(api.GET('/me/second-factor', { signal })))
  return (
    <Loaded query={passkeys}>
      {(state) =>
        state.passkeys.length > 0 || factor.data?.isOn === true ? (
          <p className="lead soft">{words.neededThere}</p>
        ) : (
          <>
            <p className="lead soft">{words.neededText}</p>
            <div className="stacked">
              <Button look="primary" isBig isWide onPress={() => choose('codes')}>
                {words.withApp}
              </Button>
              {obstacleOf(all, state) === undefined && (
                <Button isBig isWide onPress={() => choose('passkey')}>
                  {words.withPasskey}
                </Button>
              )}
            </div>
          </>
        )
      }
    </Loaded>
  )
}
