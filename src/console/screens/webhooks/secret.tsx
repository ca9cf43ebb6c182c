import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { Copied } from '../../parts/copied.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import type { Webhook } from './reads.ts'

const DAY_SECONDS = 86_400

/** For how long the former secret signs too. */
const OVERLAPS = { day: DAY_SECONDS, week: 7 * DAY_SECONDS, now: 0 } as const
type Overlap = keyof typeof OVERLAPS

const isLost = (problem: unknown): boolean => problem instanceof Problem && problem.isUnreachable

/** The signing secret, which is shown when it is made and never again. */
export const Secret = ({ webhook }: { webhook: Webhook }) => {
  const { webhooks: words } = useWords()
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  const { id, previousSecretExpiresAt: former } = webhook
  // Here, and not in the window: what was asked for and not answered is asked for again under its own name, also when the
  // window was closed in between.
  const rotate = useChange('webhook', (overlapSec: number, header) =>
    answer(api.POST('/webhooks/{id}/rotate-secret', { params: { path: { id }, header }, body: { overlapSec } })),
  )
  return (
    <Section title={words.secret}>
      <div className="card padded">
        <p>{words.secretText}</p>
        {former !== null && <p className="small">{words.formerUntil(format.moment(former))}</p>}
        <div className="actions below">
          <Button onPress={() => setOpen(true)}>{words.rotate}</Button>
        </div>
      </div>
      {isOpen && (
        <Rotation
          former={former}
          lost={isLost(rotate.error) ? rotate.variables : undefined}
          rotate={(overlapSec) => rotate.mutateAsync(overlapSec)}
          onClose={() => setOpen(false)}
        />
      )}
    </Section>
  )
}

interface RotationProps {
  former: string | null
  /** What was asked for without an answer; undefined: nothing was. */
  lost: number | undefined
  rotate: (overlapSec: number) => Promise<Schemas['RotatedSecret']>
  onClose: () => void
}

const Rotation = ({ former: formerNow, lost, rotate, onClose }: RotationProps) => {
  const { webhooks: words } = useWords()
  const format = useFormat()
  // As it was when the question was put: the change itself makes it another.
  const [former] = useState(formerNow)
  const [made, setMade] = useState<Schemas['RotatedSecret']>()
  const form = useForm<{ overlap: Overlap }>({
    start: { overlap: 'day' },
    send: async ({ overlap }) => setMade(await rotate(lost ?? OVERLAPS[overlap])),
  })
  if (made) {
    return (
      <Sheet title={words.rotate} isOpen isFirm onClose={onClose}>
        <Copied label={words.secretNew} hint={words.secretHint} text={made.secret} />
        {made.previousSecretExpiresAt !== null && (
          <p className="soft">{words.formerUntil(format.moment(made.previousSecretExpiresAt))}</p>
        )}
        <div className="actions">
          <Button look="primary" onPress={onClose}>
            {words.secretKept}
          </Button>
        </div>
      </Sheet>
    )
  }
  return (
    <Sheet title={words.rotate} isOpen onClose={onClose}>
      <Form form={form} verb={lost === undefined ? words.rotate : words.askAgain} onCancel={onClose}>
        {lost === undefined ? (
          <>
            <p>{words.rotateText}</p>
            {former !== null && (
              <Notice meaning="warn">
                <span className="grow">{words.rotateAgain(format.moment(former))}</span>
              </Notice>
            )}
            <Choice
              label={words.overlap}
              options={(Object.keys(OVERLAPS) as Overlap[]).map((id) => ({ id, label: words.overlaps[id] }))}
              {...(form.typed.overlap === 'now' && { hint: words.rotateNow })}
              {...form.field('overlap')}
            />
          </>
        ) : (
          <p>{words.rotateLost}</p>
        )}
      </Form>
    </Sheet>
  )
}
