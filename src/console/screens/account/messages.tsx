import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Check, Choice } from '../../parts/choose.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFeatures } from '../../records/feature/reads.ts'
import { useWords } from '../../words/language.tsx'
import { useDevices } from './reads.ts'

type Preference = Schemas['NotificationPreference']

/** Channels that an institute has by a feature alone: what it has not is no choice. */
const FEATURES = { sms: 'sms_notifications', whatsapp: 'whatsapp_notifications' } as const

const DIGESTS = ['immediate', 'daily', 'weekly'] as const

/** Over which channels the person is told, and how often. Each choice is kept at once, and can be taken back. */
export const Messages = () => {
  const words = useWords()
  const { account, shell } = words
  const query = useGet(['/notification-preferences'], (signal) =>
    answer(api.GET('/notification-preferences', { signal })),
  )
  const features = useFeatures().data
  const hasDevices = (useDevices().data?.data.length ?? 0) > 0
  const change = useChange('preferences', (preference: Preference) =>
    answer(api.PUT('/notification-preferences', { body: { preferences: [preference] } })),
  )
  const keep = (next: Preference, former: Preference) => {
    const onError = (error: unknown) => toast(explain(words, error))
    const undo = () => change.mutate(former, { onError })
    change.mutate(next, { onSuccess: () => toast(shell.saved, undo), onError })
  }
  // What was chosen is shown before the server has answered.
  const shown = (preference: Preference): Preference =>
    change.isPending && change.variables.channel === preference.channel ? change.variables : preference

  return (
    <Section title={account.messages}>
      <Loaded query={query}>
        {({ preferences }) => (
          <div className="card padded">
            <p className="small">{account.messagesAbout}</p>
            <ul>
              {preferences.map((kept) => {
                const { channel, enabled, digestMode } = shown(kept)
                // Whoever has it on no device is asked nothing about it.
                if (channel === 'push' && !hasDevices) return null
                if ((channel === 'sms' || channel === 'whatsapp') && features?.[FEATURES[channel]] !== true) return null
                return (
                  <li key={channel}>
                    <Check isChecked={enabled} onChange={(isOn) => keep({ ...kept, enabled: isOn }, kept)}>
                      {account.channels[channel]}
                    </Check>
                    {enabled && channel === 'email' && (
                      <div className="below-check">
                        <Choice
                          label={account.digest}
                          options={DIGESTS.map((id) => ({ id, label: account.digests[id] }))}
                          value={digestMode}
                          onChange={(mode) => {
                            if (mode !== digestMode) keep({ ...kept, digestMode: mode }, kept)
                          }}
                        />
                      </div>
                    )}
                  </li>
                )
              })}
            </ul>
          </div>
        )}
      </Loaded>
    </Section>
  )
}
