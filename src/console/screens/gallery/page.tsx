import { QueryClientProvider } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { BOUNDS } from '../../api/bounds.ts'
import { Problem } from '../../api/problem.ts'
import { queryClient } from '../../api/queries.ts'
import { Button, ButtonLink, IconButton } from '../../parts/button.tsx'
import { Check, Choice, Segments } from '../../parts/choose.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Field, LongField, PasswordField } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Icon } from '../../parts/icon.tsx'
import { MoneyField } from '../../parts/money-field.tsx'
import { RecordChoice, type RecordSource } from '../../parts/record-choice.tsx'
import { SearchChoice } from '../../parts/search-choice.tsx'
import { Waiting } from '../../parts/loaded.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Badge, Empty, Notice, type Meaning } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Initials } from '../../parts/person.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Confirm, Sheet } from '../../parts/sheet.tsx'
import { TimeField } from '../../parts/time-field.tsx'
import { toast, Toasts } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { PlaceProvider } from '../../parts/place.tsx'
import { LanguageChoice } from '../../shell/preferences.tsx'
import { chooseTheme, useTheme, type Theme } from '../../shell/theme.ts'

const MEANINGS: readonly Meaning[] = ['good', 'warn', 'bad', 'info']
const REFUSED = new Problem(409, { code: 'CONFLICT', details: { reason: 'group_full' } })
const FAILED = new Problem(500, { code: 'INTERNAL_ERROR', requestId: '0f6b2c' })
const UNREACHABLE = new Problem(0)

const NAMES = ['Dana Levi', 'سميرة الخوري', 'יארה נאסר', 'Li']

const nothing = () => {}

/** More than a list shows, so that it is searched. */
const NAMED: RecordSource<string> = {
  key: ['/parts'],
  read: async (q) => ({ data: NAMES.filter((name) => name.includes(q)), nextCursor: 'more' }),
  optionOf: (name) => ({ id: name, label: name }),
}

const findName = async (text: string) =>
  NAMES.filter((name) => name.includes(text)).map((label) => ({ id: label, label }))

const Buttons = () => {
  const { shell, signIn } = useWords()
  const [isBusy, setBusy] = useState(false)
  return (
    <>
      <div className="actions">
        <Button look="primary">{shell.save}</Button>
        <Button>{shell.cancel}</Button>
        <Button look="danger">{shell.remove}</Button>
        <Button look="quiet">{shell.showMore}</Button>
        <Button isDisabled>{shell.edit}</Button>
        <Button look="primary" isBusy={isBusy} onPress={() => setBusy(!isBusy)}>
          {isBusy ? shell.saving : shell.save}
        </Button>
        <Button icon="plus">{shell.nav.students}</Button>
        <ButtonLink to="/parts" look="quiet" icon="forward">
          {shell.more}
        </ButtonLink>
        <IconButton icon="edit" label={shell.edit} />
        <Menu
          label={shell.more}
          entries={[
            { id: 'edit', label: shell.edit, icon: 'edit', onSelect: nothing },
            { id: 'chosen', label: shell.today, isChosen: true, onSelect: nothing },
            { id: 'remove', label: shell.remove, isDangerous: true, onSelect: nothing },
          ]}
        />
      </div>
      <p className="spaced" />
      <Button look="primary" isBig isWide>
        {signIn.submit}
      </Button>
    </>
  )
}

const Fields = () => {
  const { account, shell, signIn, week } = useWords()
  const [text, setText] = useState('')
  const [date, setDate] = useState<string | null>('2026-11-24')
  const [time, setTime] = useState<string | null>('16:30')
  const [amount, setAmount] = useState<number | null>(123_450)
  const [digest, setDigest] = useState<'daily' | 'weekly'>('daily')
  const [mark, setMark] = useState<'good' | 'bad' | 'warn' | 'info'>('good')
  const [isChecked, setChecked] = useState(true)
  const [name, setName] = useState('Li')
  return (
    <>
      <Field label={account.name} value={text} onChange={setText} />
      <Field
        label={account.phone}
        hint={account.phoneWrong}
        isLtr
        isOptional
        value="+972521234567"
        onChange={nothing}
      />
      <Field label={signIn.email} value="nobody@" onChange={nothing} isLtr error={signIn.emailMissing} />
      <PasswordField label={signIn.password} value={text} onChange={setText} />
      <LongField label={shell.edit} value={text} onChange={setText} hint={account.messagesAbout} />
      <DateField
        label={shell.today}
        value={date}
        onChange={setDate}
        error={date === null ? shell.unknownDate : undefined}
      />
      <TimeField label={week.starts} value={time} onChange={setTime} />
      <MoneyField label={shell.nav.money} currency="ILS" value={amount} onChange={setAmount} />
      <RecordChoice
        label={shell.nav.students}
        source={NAMED}
        value={name}
        onChange={setName}
        chosen={{ id: name, label: name }}
      />
      <SearchChoice label={shell.nav.find} placeholder={shell.findHint} find={findName} onChoose={nothing} />
      <Choice
        label={account.digest}
        value={digest}
        onChange={setDigest}
        options={[
          { id: 'daily', label: account.digests.daily },
          { id: 'weekly', label: account.digests.weekly, about: account.messagesAbout },
        ]}
      />
      <Segments
        label={shell.theme.label}
        value={mark}
        onChange={setMark}
        isWide
        options={MEANINGS.map((meaning) => ({ id: meaning, meaning, label: account.digests.immediate }))}
      />
      <Check isChecked={isChecked} onChange={setChecked}>
        {account.channels.email}
      </Check>
      <Check isChecked={!isChecked} onChange={nothing} isDisabled>
        {account.channels.sms}
      </Check>
    </>
  )
}

const Typed = () => {
  const { account, leads, shell } = useWords()
  const form = useForm({
    start: { firstName: '', phone: '' },
    bounds: BOUNDS.NewLead,
    send: () => Promise.reject(REFUSED),
  })
  return (
    <Form form={form} label={shell.edit} onCancel={form.reset}>
      <Field label={leads.firstName} {...form.field('firstName')} />
      <Field label={account.phone} type="tel" isLtr {...form.field('phone')} />
    </Form>
  )
}

const Messages = () => {
  const { account, inbox, shell } = useWords()
  const [isAsking, setAsking] = useState(false)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <div className="notices">
        {MEANINGS.map((meaning) => (
          <Notice key={meaning} meaning={meaning}>
            <span className="grow">{shell.readOnly}</span>
          </Notice>
        ))}
        <ProblemNotice problem={REFUSED} />
        <ProblemNotice problem={FAILED} onRetry={nothing} />
        <ProblemNotice problem={UNREACHABLE} onRetry={nothing} />
      </div>
      <div className="actions">
        {MEANINGS.map((meaning) => (
          <Badge key={meaning} meaning={meaning} icon="tick">
            {inbox.isNew}
          </Badge>
        ))}
        <Badge>{shell.optional}</Badge>
        <Button onPress={() => toast(shell.saved, nothing)}>{shell.undo}</Button>
        <Button onPress={() => setAsking(true)}>{account.end}</Button>
        <Button onPress={() => setOpen(true)}>{shell.more}</Button>
      </div>
      <Confirm
        title={account.endTitle('Dana Levi')}
        verb={account.end}
        isDangerous
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => Promise.reject(REFUSED)}
      >
        <p>{account.endText}</p>
      </Confirm>
      <Sheet title={shell.more} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>{shell.lockedText}</p>
      </Sheet>
    </>
  )
}

const Rows = () => {
  const { inbox, shell } = useWords()
  const format = useFormat()
  return (
    <>
      <ul className="card" aria-label={shell.nav.students}>
        {NAMES.map((name) => (
          <li key={name}>
            <div className="row">
              <Initials name={name} />
              <span className="grow">
                <bdi className="name">{name}</bdi>
                <span className="about">{format.longDate('2026-11-24')}</span>
              </span>
              <bdi className="nowrap">{format.money({ amountMinor: 123_450, currency: 'ILS' })}</bdi>
              <Icon name="forward" />
            </div>
          </li>
        ))}
      </ul>
      <p className="spaced" />
      <div className="card">
        <Empty>
          <p>{inbox.emptyText}</p>
          <Button look="primary">{shell.retry}</Button>
        </Empty>
      </div>
      <Waiting />
    </>
  )
}

const Part = ({ name, children }: { name: string; children: ReactNode }) => (
  <Section title={name}>
    <div className="card padded">{children}</div>
  </Section>
)

/** All parts beside each other, for those who build the console. Only a checkout has this page. */
export const Screen = () => {
  const { shell } = useWords()
  const theme = useTheme()
  return (
    <QueryClientProvider client={queryClient}>
      <PlaceProvider house={shell.product}>
        <main>
          <div className="actions spaced">
            <LanguageChoice />
            <Segments<Theme>
              label={shell.theme.label}
              isLabelUnseen
              value={theme}
              onChange={chooseTheme}
              options={(['light', 'dark', 'system'] as const).map((id) => ({ id, label: shell.theme[id] }))}
            />
          </div>
          <Page title={shell.product} about={shell.unsent(2)} actions={<Button look="primary">{shell.save}</Button>}>
            <div className="columns">
              <div>
                <Part name={shell.edit}>
                  <Fields />
                </Part>
                <Part name={shell.save}>
                  <Typed />
                </Part>
              </div>
              <div>
                <Part name={shell.more}>
                  <Buttons />
                </Part>
                <Part name={shell.nav.messages}>
                  <Messages />
                </Part>
                <Section title={shell.nav.students}>
                  <Rows />
                </Section>
              </div>
            </div>
          </Page>
        </main>
        <Toasts />
      </PlaceProvider>
    </QueryClientProvider>
  )
}
