import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Segments } from '../../parts/choose.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { MailAddress } from '../../parts/mail-address.tsx'
import { Section } from '../../parts/page.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useLanguage, useWords } from '../../words/language.tsx'
import { useChooseLanguage } from '../../shell/own-language.ts'
import { chooseTheme, useTheme, type Theme } from '../../shell/theme.ts'
import { LOCALES, type Locale } from '../../../shared/locale.ts'
import { OWN_NAMES } from '../../words/locale.ts'
import { Picture } from './picture.tsx'

type Profile = Schemas['UserProfile']

const useProfileChange = () => useChange('me', (body: Schemas['ProfileChanges']) => answer(api.PATCH('/me', { body })))

const typedOf = ({ fullName, phone }: Profile) => ({ fullName, phone: phone ?? '' })

export const AboutYou = ({ profile }: { profile: Profile }) => {
  const words = useWords()
  const { account } = words
  const change = useProfileChange()
  const form = useForm({
    start: typedOf(profile),
    bounds: BOUNDS.ProfileChanges,
    missing: account.nameMissing,
    refused: { phone: account.phoneWrong },
    send: async ({ fullName, phone }) => {
      form.set(typedOf(await change.mutateAsync({ fullName: fullName.trim(), phone: phone.trim() || null })))
      toast(account.profileSaved, undo)
    },
  })
  const undo = () => {
    change.mutate(
      { fullName: profile.fullName, phone: profile.phone },
      { onSuccess: (kept) => form.set(typedOf(kept)), onError: (error) => toast(explain(words, error)) },
    )
  }
  const { fullName, phone } = form.typed
  const isChanged = fullName.trim() !== profile.fullName || phone.trim() !== (profile.phone ?? '')
  return (
    <Section title={account.you}>
      <div className="card padded">
        <Picture profile={profile} />
        <Form form={form} label={account.you} look="plain" isDisabled={!isChanged}>
          <Field label={account.name} autoComplete="name" {...form.field('fullName')} />
          <Field label={account.phone} type="tel" autoComplete="tel" isLtr isOptional {...form.field('phone')} />
          <Facts look="inset">
            <dt>{account.email}</dt>
            <dd>
              <span className="ltr">
                <MailAddress of={profile.email} />
              </span>{' '}
              <span className="small">{account.emailHint}</span>
            </dd>
          </Facts>
        </Form>
      </div>
    </Section>
  )
}

/** They take effect at once: what was chosen before is one tap away. */
export const Looks = () => {
  const { locale, words } = useLanguage()
  const { account, shell } = words
  const theme = useTheme()
  const choose = useChooseLanguage()
  return (
    <Section title={`${shell.language} · ${shell.theme.label}`}>
      <div className="card padded">
        <Segments<Locale>
          label={shell.language}
          isWide
          options={LOCALES.map((id) => ({ id, label: <span lang={id}>{OWN_NAMES[id]}</span> }))}
          value={locale}
          onChange={choose}
        />
        <p className="small spaced">{account.languageHint}</p>
        <Segments<Theme>
          label={shell.theme.label}
          isWide
          options={(['light', 'dark', 'system'] as const).map((id) => ({ id, label: shell.theme[id] }))}
          value={theme}
          onChange={chooseTheme}
        />
      </div>
    </Section>
  )
}
