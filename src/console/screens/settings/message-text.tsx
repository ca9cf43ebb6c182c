import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api } from '../../api/client.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Button } from '../../parts/button.tsx'
import { Check, Choice, Segments } from '../../parts/choose.tsx'
import { Field, LongField } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { CHANNELS, type Channel, type Template } from '../../records/message/reads.ts'
import { filledIn, isOwnKey, kindOf, useTexts, variablesIn } from '../../records/message/texts.ts'
import { useMe } from '../../shell/me.tsx'
import { directionOf, LOCALES, type Locale } from '../../../shared/locale.ts'
import { OWN_NAMES } from '../../words/locale.ts'
import { loadWords } from '../../words/index.ts'
import { useFormat, useWords } from '../../words/language.tsx'

/** One text: for each channel and language, its variables to put in, how it reads, and a trial. */
export const Screen = () => {
  const all = useWords()
  const [params] = useSearchParams()
  const key = params.get('key') ?? 'message'
  const texts = useTexts()
  return (
    <>
      <Back to="/settings/messages" label={all.messageTexts.title} />
      <Page title={<bdi>{kindOf(key, all)}</bdi>} name={kindOf(key, all)}>
        <Loaded query={texts}>
          {(data) => <Texts textKey={key} texts={data.filter((text) => text.key === key)} />}
        </Loaded>
      </Page>
    </>
  )
}

const Texts = ({ textKey, texts }: { textKey: string; texts: readonly Template[] }) => {
  const { messages, messageTexts: words } = useWords()
  const format = useFormat()
  const [channel, setChannel] = useState<Channel>('email')
  const [locale, setLocale] = useState<Locale>(format.locale)
  const found = texts.find((text) => text.channel === channel && text.locale === locale)
  return (
    <>
      <div className="filters">
        <Choice
          label={words.channel}
          options={CHANNELS.map((id) => ({ id, label: messages.channels[id] }))}
          value={channel}
          onChange={setChannel}
        />
        <Segments
          label={words.language}
          options={LOCALES.map((id) => ({ id, label: OWN_NAMES[id] }))}
          value={locale}
          onChange={setLocale}
        />
      </div>
      <Text
        key={`${channel} ${locale} ${found?.id ?? ''} ${found?.updatedAt ?? ''}`}
        place={{ key: textKey, channel, locale }}
        text={found}
        // A text of one's own has the variables of its others.
        variables={texts[0]?.variables ?? ['institute', 'recipientName', 'link', 'studentName']}
      />
    </>
  )
}

interface TextProps {
  place: Pick<Template, 'key' | 'channel' | 'locale'>
  /** undefined: there is none for this channel and language yet. */
  text: Template | undefined
  variables: readonly string[]
}

/** Those of which only the text and no title is sent. */
const WITHOUT_SUBJECT: readonly Channel[] = ['sms', 'whatsapp']

const typedOf = (text: Template | undefined) => ({
  subject: text?.subject ?? '',
  body: text?.body ?? '',
  providerTemplateName: text?.providerTemplateName ?? '',
  isActive: text?.isActive ?? true,
})
type Typed = ReturnType<typeof typedOf>

const BODY = 'text-body'

const Text = ({ place, text, variables }: TextProps) => {
  const all = useWords()
  const { messageTexts: words } = all
  const isOwn = text !== undefined && !text.isPlatformDefault
  const save = useChange('messageText', (typed: Typed, header) => {
    const said = { body: typed.body, isActive: typed.isActive }
    const subject = typed.subject.trim()
    const name = typed.providerTemplateName.trim()
    return isOwn
      ? answer(
          api.PATCH('/notification-templates/{id}', {
            params: { path: { id: text.id } },
            body: { ...said, subject: subject || null, providerTemplateName: name || null },
          }),
        )
      : answer(
          api.POST('/notification-templates', {
            params: { header },
            body: { ...place, ...said, ...(subject && { subject }), ...(name && { providerTemplateName: name }) },
          }),
        )
  })
  const form = useForm({
    start: typedOf(text),
    bounds: BOUNDS.NewNotificationTemplate,
    send: async (typed) => {
      await save.mutateAsync(typed)
      toast(words.saved)
    },
  })
  const { typed } = form
  const putIn = (name: string) => {
    const area = document.querySelector<HTMLTextAreaElement>(`#${BODY}`)
    const [from, to] = [area?.selectionStart ?? typed.body.length, area?.selectionEnd ?? typed.body.length]
    const put = `{{${name}}}`
    form.set({ body: typed.body.slice(0, from) + put + typed.body.slice(to) })
    requestAnimationFrame(() => {
      area?.focus()
      area?.setSelectionRange(from + put.length, from + put.length)
    })
  }
  const isOwnText = isOwnKey(place.key, all)
  const hasData = isOwnText || place.key === 'message'
  const used = variablesIn(typed.body).filter((name) => hasData && name.startsWith('data.'))
  const chips = [...new Set([...variables, ...used])]
  return (
    <div className="two">
      <Section title={isOwn ? words.own : words.usual} actions={isOwn && <TakeBack id={text.id} />}>
        <div className="card padded">
          <Form form={form} verb={words.save}>
            {!WITHOUT_SUBJECT.includes(place.channel) && (
              <Field label={words.subject} isOptional {...form.field('subject')} />
            )}
            <LongField label={words.body} id={BODY} {...form.field('body')} />
            <div className="field">
              <p className="hint">{words.chipsHint}</p>
              <div className="chips" role="group" aria-label={words.chips}>
                {chips.map((name) => (
                  <Button key={name} look="quiet" icon="plus" onPress={() => putIn(name)}>
                    {nameOf(name, words.values)}
                  </Button>
                ))}
              </div>
            </div>
            {place.channel === 'whatsapp' && (
              <Field
                label={words.providerTemplate}
                hint={words.providerTemplateHint}
                isOptional
                isLtr
                {...form.field('providerTemplateName')}
              />
            )}
            <div className="field">
              <Check {...form.check('isActive')}>{words.isSent}</Check>
              {!typed.isActive && <p className="hint">{words.notSentHint}</p>}
            </div>
          </Form>
        </div>
      </Section>
      <Preview
        place={place}
        typed={typed}
        variables={chips}
        isSaved={text !== undefined && isSame(typed, typedOf(text))}
      />
    </div>
  )
}

const isSame = (one: Typed, other: Typed): boolean => one.body === other.body && one.subject === other.subject

const nameOf = (name: string, values: object): string =>
  (values as Readonly<Record<string, string>>)[name] ?? name.replace('data.', '')

interface PreviewProps {
  place: TextProps['place']
  typed: Typed
  variables: readonly string[]
  /** Whether what is seen is what would be sent. */
  isSaved: boolean
}

/** How it reads, with values as they might be, in the words of its language. */
const Preview = ({ place: { key, channel, locale }, typed, variables, isSaved }: PreviewProps) => {
  const { messageTexts: words } = useWords()
  const { can, user, institute } = useMe()
  const spoken = useGet(['words', locale], async () => (await loadWords[locale]()).messageTexts).data ?? words
  const samples: Readonly<Record<string, string>> = {
    ...spoken.values,
    ...spoken.samples,
    institute: institute.name,
    link: location.origin,
  }
  const fill = (text: string) => filledIn(text, (name) => samples[name] ?? nameOf(name, spoken.values))
  const trial = useChange('message', (_: void, header) => {
    // The texts of other languages may have others.
    const names = new Set([...variables, ...variablesIn(`${typed.subject} ${typed.body}`)])
    const data = Object.fromEntries([...names].map((name) => [name.replace('data.', ''), fill(`{{${name}}}`)]))
    return answer(
      api.POST('/notifications/send', {
        params: { header },
        body: { templateKey: key, channels: [channel], recipients: { userIds: [user.id] }, data },
      }),
    )
  })
  return (
    <Section title={words.preview}>
      <div className="card padded">
        <article className="bubble" lang={locale} dir={directionOf(locale)} aria-label={words.preview}>
          {typed.subject.trim() !== '' && !WITHOUT_SUBJECT.includes(channel) && <strong>{fill(typed.subject)}</strong>}
          <p>{fill(typed.body)}</p>
        </article>
        {trial.error && <ProblemNotice problem={trial.error} />}
        {can('notifications.send') && isSaved && (
          <Button
            isBusy={trial.isPending}
            onPress={() => trial.mutate(undefined, { onSuccess: () => toast(words.trialDone) })}
          >
            {words.trial}
          </Button>
        )}
      </div>
    </Section>
  )
}

/** The usual text holds again. */
const TakeBack = ({ id }: { id: string }) => {
  const { messageTexts: words } = useWords()
  const [isAsked, setAsked] = useState(false)
  const remove = useChange('messageText', () =>
    answer(api.DELETE('/notification-templates/{id}', { params: { path: { id } } })),
  )
  return (
    <>
      <Button look="quiet" onPress={() => setAsked(true)}>
        {words.back}
      </Button>
      <Confirm
        title={words.backTitle}
        verb={words.back}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          await remove.mutateAsync(undefined)
          toast(words.isBack)
        }}
      >
        <p className="soft">{words.backText}</p>
      </Confirm>
    </>
  )
}
