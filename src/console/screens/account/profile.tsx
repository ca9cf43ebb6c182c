import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Segments } from '../../parts/choose.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { Section } from '../../parts/page.tsx'
import { explain, ProblemNotice } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useLanguage, useWords } from '../../words/language.tsx'
import { chooseTheme, useTheme, type Theme } from '../../shell/theme.ts'
import { LOCALES, OWN_NAMES, type Locale } from '../../words/locale.ts'
import { Picture } from './picture.tsx'

type Profile = Schemas['UserProfile']

const useProfileChange = () => useChange('me', (body: Schemas['ProfileChanges']) => answer(api.PATCH('/me', { body })))

export const AboutYou = ({ profile }: { profile: Profile }) => {
  const words = useWords()
  const { account, shell } = words
  const [fullName, setFullName] = useState(profile.fullName)
  const [phone, setPhone] = useState(profile.phone ?? '')
  const change = useProfileChange()
  const isPhoneWrong = change.error?.issues.some(({ path }) => path[0] === 'phone') ?? false
  const isMissing = fullName.trim() === ''
  const isChanged = fullName.trim() !== profile.fullName || phone.trim() !== (profile.phone ?? '')

  const show = (kept: Profile) => {
    setFullName(kept.fullName)
    setPhone(kept.phone ?? '')
  }
  const undo = () => {
    change.mutate(
      { fullName: profile.fullName, phone: profile.phone },
      { onSuccess: show, onError: (error) => toast(explain(words, error)) },
    )
  }
  const save = () => {
    if (isMissing || !isChanged || change.isPending) return
    const body = { fullName: fullName.trim(), phone: phone.trim() === '' ? null : phone.trim() }
    change.mutate(body, {
      onSuccess: (kept) => {
        show(kept)
        toast(account.profileSaved, undo)
      },
    })
  }

  return (
    <Section title={account.you}>
      <div className="card padded">
        <Picture profile={profile} />
        <Form onSubmit={save} label={account.you}>
          {change.error && !isPhoneWrong && <ProblemNotice problem={change.error} />}
          <Field
            label={account.name}
            value={fullName}
            onChange={setFullName}
            autoComplete="name"
            maxLength={200}
            error={isMissing ? account.nameMissing : undefined}
          />
          <Field
            label={account.phone}
            value={phone}
            onChange={setPhone}
            type="tel"
            autoComplete="tel"
            isLtr
            isOptional
            maxLength={50}
            error={isPhoneWrong ? account.phoneWrong : undefined}
          />
          <Facts look="inset">
            <dt>{account.email}</dt>
            <dd>
              <span className="ltr">{profile.email}</span> <span className="small">{account.emailHint}</span>
            </dd>
          </Facts>
          <div className="actions">
            <Button type="submit" isBusy={change.isPending} isDisabled={!isChanged || isMissing}>
              {shell.save}
            </Button>
          </div>
        </Form>
      </div>
    </Section>
  )
}

/** They take effect at once: what was chosen before is one tap away. */
export const Looks = () => {
  const { locale, words, change: speak } = useLanguage()
  const { account, shell } = words
  const theme = useTheme()
  const change = useProfileChange()
  const choose = (chosen: Locale) => {
    speak(chosen)
    change.mutate({ locale: chosen }, { onError: (error) => toast(explain(words, error)) })
  }
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
