import { useEffect, useState } from 'react'
import { isTooOld, type KeptRequest, type KeptSender } from '../api/intents/kept-sender.ts'
import { Problem } from '../api/problem.ts'
import { useFormat, useWords } from '../words/language.tsx'
import { Button, ButtonLink } from './button.tsx'
import { Notice } from './notice.tsx'
import { explain } from './problem-notice.tsx'

interface Link {
  to: string
  label: string
}

/** What is said of requests of one kind. */
interface Words<Body, Reply> {
  /** No answer has come yet. */
  unanswered: (body: Body, when: string) => string
  /** None came, and it is too late to ask again. */
  unknown: (body: Body, when: string) => string
  /** Where to look what became of it. */
  lookAt: Link
  done: (reply: Reply) => { text: string; link: Link | undefined }
  refused: (body: Body) => string
}

interface KeptNoticesProps<Body, Reply> {
  sender: KeptSender<Body, Reply>
  unanswered: readonly KeptRequest<Body>[]
  words: Words<Body, Reply>
}

type Outcome<Body, Reply> = { key: string } & ({ reply: Reply } | { body: Body; problem: Problem })

/** Requests whose answer was lost, with the page that sent them or with the tab: asked for again until it comes. */
export const KeptNotices = <Body, Reply>({ sender, unanswered, words }: KeptNoticesProps<Body, Reply>) => {
  const all = useWords()
  const { shell } = all
  const [outcomes, setOutcomes] = useState<readonly Outcome<Body, Reply>[]>([])
  useEffect(
    () =>
      sender.onAnswer(({ key, kept, reply, refusal, isElsewhere }, isAwaited) => {
        // The page that waits for it tells of it, or the window that sent it.
        if (isAwaited || isElsewhere || !kept) return
        if (reply !== undefined) setOutcomes((before) => [...before, { key, reply }])
        else if (refusal) {
          const problem = new Problem(refusal.status, refusal)
          setOutcomes((before) => [...before, { key, body: kept.body, problem }])
        }
      }),
    [sender],
  )
  const close = (outcome: Outcome<Body, Reply>) => setOutcomes((before) => before.filter((one) => one !== outcome))
  return (
    <>
      {unanswered.map((kept) => (
        <Asking key={kept.key} kept={kept} words={words} onForget={() => void sender.forget(kept)} />
      ))}
      {outcomes.map((outcome) => {
        const told = 'reply' in outcome ? words.done(outcome.reply) : undefined
        const refused = 'problem' in outcome && `${words.refused(outcome.body)} ${explain(all, outcome.problem)}`
        return (
          <Notice key={outcome.key} meaning={told ? 'good' : 'bad'} isAlert>
            <span className="grow">{told ? told.text : refused}</span>
            {told?.link && (
              <ButtonLink look="quiet" to={told.link.to}>
                {told.link.label}
              </ButtonLink>
            )}
            <Button look="quiet" onPress={() => close(outcome)}>
              {shell.close}
            </Button>
          </Notice>
        )
      })}
    </>
  )
}

interface AskingProps<Body, Reply> {
  kept: KeptRequest<Body>
  words: Words<Body, Reply>
  onForget: () => void
}

const Asking = <Body, Reply>({ kept, words, onForget }: AskingProps<Body, Reply>) => {
  const { shell } = useWords()
  const format = useFormat()
  const isLost = isTooOld(kept)
  const when = format.moment(kept.savedAt)
  return (
    <Notice meaning="warn" icon="clock">
      <span className="grow">{isLost ? words.unknown(kept.body, when) : words.unanswered(kept.body, when)}</span>
      {isLost && (
        <>
          <ButtonLink look="quiet" to={words.lookAt.to}>
            {words.lookAt.label}
          </ButtonLink>
          <Button look="quiet" onPress={onForget}>
            {shell.close}
          </Button>
        </>
      )}
    </Notice>
  )
}
