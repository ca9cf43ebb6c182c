import { Check, Choice } from '../../parts/choose.tsx'
import { Field, LongField } from '../../parts/field.tsx'
import { useFeatures } from '../../records/feature/reads.ts'
import { CHANNELS, type Channel, type Template } from '../../records/message/reads.ts'
import { isOwnKey } from '../../records/message/texts.ts'
import { useWords } from '../../words/language.tsx'
import { FREE, type Draft } from './draft.ts'

interface TextProps {
  draft: Draft
  onChange: (more: Partial<Draft>) => void
  texts: readonly Template[]
  /** What the text asks for. */
  names: readonly string[]
}

/** What is written: a message of one's own, or a text of the institute's with its variables filled in. */
export const Text = ({ draft, onChange, texts, names }: TextProps) => {
  const all = useWords()
  const { messages: words } = all
  const { templateKey, data } = draft
  const ownKeys = [...new Set(texts.map(({ key }) => key).filter((key) => isOwnKey(key, all)))]
  const say = (name: string) => (value: string) => onChange({ data: { ...data, [name]: value } })
  return (
    <>
      {ownKeys.length > 0 && (
        <Choice
          label={words.template}
          options={[{ id: FREE, label: words.ownText }, ...ownKeys.map((id) => ({ id, label: id }))]}
          value={templateKey}
          onChange={(id) => onChange({ templateKey: id })}
        />
      )}
      {templateKey === FREE ? (
        <>
          <Field label={words.subject} value={data['title'] ?? ''} onChange={say('title')} />
          <LongField
            label={words.body}
            hint={words.bodyHint}
            value={data['message'] ?? ''}
            onChange={say('message')}
            maxLength={LONGEST}
          />
        </>
      ) : (
        names.map((name) => <LongField key={name} label={name} value={data[name] ?? ''} onChange={say(name)} />)
      )}
    </>
  )
}

/** As long as a value may be. */
const LONGEST = 5000

/** Channels that an institute has by a feature alone. */
const FEATURES = { sms: 'sms_notifications', whatsapp: 'whatsapp_notifications' } as const

/** Over which channels it goes. */
export const Channels = ({
  chosen,
  onChange,
}: {
  chosen: readonly Channel[]
  onChange: (channels: readonly Channel[]) => void
}) => {
  const { messages: words } = useWords()
  const features = useFeatures().data
  const open = CHANNELS.filter(
    (channel) => (channel !== 'sms' && channel !== 'whatsapp') || features?.[FEATURES[channel]] === true,
  )
  return (
    <fieldset className="ways">
      <legend>{words.how}</legend>
      {open.map((channel) => (
        <Check
          key={channel}
          isChecked={chosen.includes(channel)}
          onChange={(isOn) => onChange(isOn ? [...chosen, channel] : chosen.filter((one) => one !== channel))}
        >
          {words.channels[channel]}
        </Check>
      ))}
    </fieldset>
  )
}
