import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { PasswordAgain, RecoveryCodes, SetUpCodes } from './set-up-codes.tsx'

type Act = 'setUp' | 'make' | 'off'

/** The app that shows codes: set up, moved to another phone, its recovery codes, and its end. */
export const SecondFactor = () => {
  const { factor: words } = useWords()
  const query = useGet(['/me/second-factor'], (signal) => answer(api.GET('/me/second-factor', { signal })))
  const [act, setAct] = useState<Act>()
  const close = () => setAct(undefined)
  return (
    <Section title={words.title}>
      <Loaded query={query}>
        {(state) => (
          <div className="card padded">
            <State state={state} ask={setAct} />
            {act === 'make' && <Make onClose={close} />}
            {act === 'off' && <Off isAsked={state.isAsked} onClose={close} />}
          </div>
        )}
      </Loaded>
      {act === 'setUp' && (
        <SetUpCodes
          frame={(title, step, isLast) => (
            <Sheet title={title} isOpen isFirm={isLast} onClose={close}>
              {step}
            </Sheet>
          )}
          onCancel={close}
          onDone={() => {
            close()
            toast(words.done)
          }}
        />
      )}
    </Section>
  )
}

const State = ({ state, ask }: { state: Schemas['SecondFactor']; ask: (act: Act) => void }) => {
  const { factor: words } = useWords()
  const format = useFormat()
  const { since, recoveryCodesLeft } = state
  if (since === null) {
    return (
      <>
        <p className="small spaced">{words.about}</p>
        <div className="actions">
          <Button onPress={() => ask('setUp')}>{words.begin}</Button>
        </div>
      </>
    )
  }
  return (
    <>
      <p className="chips spaced">
        <Badge meaning="good" icon="tick">
          {words.on}
        </Badge>
        <span className="small">{words.since(format.date(format.dateOf(since)))}</span>
      </p>
      <p className="small spaced">{recoveryCodesLeft === 0 ? words.noCodesLeft : words.codesLeft(recoveryCodesLeft)}</p>
      <div className="actions">
        <Button onPress={() => ask('setUp')}>{words.other}</Button>
        <Button onPress={() => ask('make')}>{words.make}</Button>
        <Button look="quiet" onPress={() => ask('off')}>
          {words.off}
        </Button>
      </div>
    </>
  )
}

const Make = ({ onClose }: { onClose: () => void }) => {
  const { factor: words } = useWords()
  const [codes, setCodes] = useState<readonly string[]>()
  const make = useChange('factor', (password: string, header) =>
    answer(api.POST('/me/second-factor/recovery-codes', { params: { header }, body: { password } })),
  )
  return (
    <Sheet title={codes ? words.steps.codes : words.makeTitle} isOpen isFirm={codes !== undefined} onClose={onClose}>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={onClose} />
      ) : (
        <PasswordAgain
          text={words.makeText}
          verb={words.make}
          send={async (password) => setCodes((await make.mutateAsync(password)).recoveryCodes)}
          onCancel={onClose}
        />
      )}
    </Sheet>
  )
}

const Off = ({ isAsked, onClose }: { isAsked: boolean; onClose: () => void }) => {
  const { factor: words } = useWords()
  const end = useChange('factor', (password: string, header) =>
    answer(api.POST('/me/second-factor/remove', { params: { header }, body: { password } })),
  )
  return (
    <Sheet title={words.offTitle} isOpen onClose={onClose}>
      {isAsked && <p>{words.offAsked}</p>}
      <PasswordAgain
        text={words.offText}
        verb={words.off}
        send={async (password) => {
          await end.mutateAsync(password)
          toast(words.offDone)
          onClose()
        }}
        onCancel={onClose}
      />
    </Sheet>
  )
}
