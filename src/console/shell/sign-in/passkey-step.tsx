import { useState } from 'react'
import { PasskeyGivenUp } from '../../api/passkey-known.ts'
import { Problem } from '../../api/problem.ts'
import { signInByPasskey } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { useFirstWords } from '../../words/language.tsx'

/** In place of password and code: it is offered where the browser knows how; whether there is one, the device says. */
export const Screen = ({ onDone }: { onDone: () => void }) => {
  const { signIn: words } = useFirstWords()
  const [isBusy, setBusy] = useState(false)
  const [told, setTold] = useState<string>()
  const [problem, setProblem] = useState<unknown>()
  const enter = async () => {
    setBusy(true)
    setTold(undefined)
    setProblem(undefined)
    try {
      await signInByPasskey()
      onDone()
    } catch (error) {
      const { reason } = error instanceof Problem ? error : {}
      if (reason === 'passkey_invalid') setTold(words.passkeyUnknown)
      else if (reason === 'passkeys_impossible') setTold(words.passkeyImpossible)
      else if (!(error instanceof PasskeyGivenUp)) setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="below">
      {told !== undefined && (
        <Notice meaning="warn" isAlert>
          <span className="grow">{told}</span>
        </Notice>
      )}
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <Button isWide isBig isBusy={isBusy} onPress={() => void enter()}>
        {isBusy ? words.passkeyBusy : words.passkey}
      </Button>
    </div>
  )
}
