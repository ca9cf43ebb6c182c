import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { BOUNDS } from '../../api/bounds.ts'
import { Back } from '../../parts/back.tsx'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Badge, Empty } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useUsage, type Template } from '../../records/message/reads.ts'
import { isOwnKey, kindOf, useTexts } from '../../records/message/texts.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { Providers } from './providers.tsx'

export const textPath = (key: string): string => `/settings/messages/text?key=${encodeURIComponent(key)}`

/** What is told in which words, over whom it goes, and how much of the plan is used. */
export const Screen = () => {
  const { messageTexts: words, settings } = useWords()
  return (
    <>
      <Back to="/settings" label={settings.title} />
      <Page title={words.title} about={words.about}>
        <div className="two">
          <Texts />
          <div>
            <Budget />
            <Providers />
          </div>
        </div>
      </Page>
    </>
  )
}

const Texts = () => {
  const all = useWords()
  const { messageTexts: words } = all
  const texts = useTexts()
  const [isNew, setNew] = useState(false)
  return (
    <div>
      <Section title={words.list}>
        <Loaded query={texts}>
          {(data) => <Keys texts={data} keys={Object.keys(words.events).filter((key) => key !== 'digest')} />}
        </Loaded>
      </Section>
      <Section
        title={words.ownKeys}
        actions={
          <Button look="quiet" icon="plus" onPress={() => setNew(true)}>
            {words.newText}
          </Button>
        }
      >
        <Loaded query={texts}>
          {(data) => {
            const own = [...new Set(data.map(({ key }) => key).filter((key) => isOwnKey(key, all)))]
            return own.length === 0 ? (
              <div className="card">
                <Empty>
                  <p>{words.noOwnKeys}</p>
                </Empty>
              </div>
            ) : (
              <Keys texts={data} keys={own} />
            )
          }}
        </Loaded>
      </Section>
      {isNew && <NewText onClose={() => setNew(false)} />}
    </div>
  )
}

const Keys = ({ texts, keys }: { texts: readonly Template[]; keys: readonly string[] }) => {
  const all = useWords()
  const { messageTexts: words } = all
  return (
    <ul className="card" aria-label={words.list}>
      {keys.map((key) => {
        const own = texts.filter((text) => text.key === key && !text.isPlatformDefault).length
        return (
          <li key={key}>
            <Link href={textPath(key)} className="row">
              <span className="grow">
                <bdi className="name">{kindOf(key, all)}</bdi>
              </span>
              {own > 0 && <Badge meaning="info">{words.changed(own)}</Badge>}
              <Icon name="forward" />
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

/** A text of one's own begins with its name. */
const NewText = ({ onClose }: { onClose: () => void }) => {
  const { messageTexts: words } = useWords()
  const [, go] = useLocation()
  const form = useForm({
    start: { key: '' },
    bounds: BOUNDS.NewNotificationTemplate,
    send: async ({ key }) => go(textPath(key.trim())),
  })
  return (
    <Sheet title={words.newText} isOpen onClose={onClose}>
      <Form form={form} verb={words.newText} onCancel={onClose}>
        <Field label={words.textName} hint={words.textNameHint} autoFocus {...form.field('key')} />
      </Form>
    </Sheet>
  )
}

/** What is used of the plan this month. */
const Budget = () => {
  const { messageTexts: words, messages } = useWords()
  const format = useFormat()
  const usage = useUsage(false)
  return (
    <Section title={words.budget}>
      <div className="card padded">
        <Loaded query={usage}>
          {({ total, limit, channels }) => (
            <>
              <p className="lead">{limit === null ? messages.usedUnlimited(total) : messages.used(total, limit)}</p>
              {limit !== null && limit > 0 && (
                <meter className="meter" value={total} max={limit} aria-label={words.budget} />
              )}
              <Facts look="inset">
                {channels.map(({ channel, messages: count }) => [
                  <dt key={`${channel} name`}>{messages.channels[channel]}</dt>,
                  <dd key={channel}>{format.number(count)}</dd>,
                ])}
              </Facts>
            </>
          )}
        </Loaded>
      </div>
    </Section>
  )
}
