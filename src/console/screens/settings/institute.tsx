import { Loaded } from '../../parts/loaded.tsx'
import { Editable } from '../../parts/editable.tsx'
import { Facts } from '../../parts/facts.tsx'
import { numberOf } from '../../parts/form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { fieldsOf } from '../../api/versioned.ts'
import { useFeature } from '../../records/feature/reads.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { isOwner } from '../../shell/is-owner.ts'
import { useMe } from '../../shell/me.tsx'
import { LOCALES } from '../../../shared/locale.ts'
import { OWN_NAMES } from '../../words/locale.ts'
import { cityOf } from '../../words/zones.ts'
import { plainDigits } from '../../../shared/typed.ts'
import { Back } from '../../parts/back.tsx'
import { CURRENCIES } from './choices.ts'
import { Look } from './look.tsx'
import { Quiet } from './quiet.tsx'
import { readSettings, useSettings, type Settings } from './reads.ts'
import { Siblings } from './siblings.tsx'
import { Screen as TakeAlong } from './take-along.tsx'
import { Terms } from './terms.tsx'
import { hasPath } from './typed.ts'
import { ZoneChoice } from '../../parts/zone-choice.tsx'

const save = (changes: Schemas['SettingsChanges'], version: number | undefined): Promise<Settings> =>
  answer(api.PATCH('/settings', { body: { ...changes, ...(version !== undefined && { version }) } }))

const field = fieldsOf<Settings, Schemas['SettingsChanges']>({
  key: ['/settings'],
  change: 'settings',
  read: () => readSettings(),
  send: save,
})

/** What the institute is called, how it looks, and how it reckons. */
export const Screen = () => {
  const { institute: words, settings: all } = useWords()
  const settings = useSettings()
  const me = useMe()
  return (
    <>
      <Back to="/settings" label={all.title} />
      <Page title={words.title}>
        <Loaded query={settings}>
          {(data) => (
            <div className="columns">
              <div>
                <About settings={data} />
                <Rules settings={data} />
                <OnPapers settings={data} />
              </div>
              <div>
                <Look settings={data} />
                <Terms settings={data} />
                <Siblings settings={data} />
                <Quiet settings={data} />
                {isOwner(me) && <TakeAlong />}
              </div>
            </div>
          )}
        </Loaded>
      </Page>
    </>
  )
}

const About = ({ settings }: { settings: Settings }) => {
  const { institute: words } = useWords()
  const { locale } = useFormat()
  const names = new Intl.DisplayNames(locale, { type: 'currency' })
  const currencies = CURRENCIES.map((id) => ({ id, label: words.currencyOf(names.of(id) ?? id, id) }))
  const me = useMe()
  return (
    <Section title={words.about}>
      <Facts>
        <Editable
          label={words.name}
          value={settings.name}
          hint={words.nameHint}
          bound={BOUNDS.SettingsChanges.name}
          onSave={field(
            ({ name }) => name,
            (name) => ({ name }),
          )}
        />
        <Editable
          label={words.language}
          value={settings.defaultLocale}
          shown={OWN_NAMES[settings.defaultLocale]}
          options={LOCALES.map((id) => ({ id, label: OWN_NAMES[id] }))}
          onSave={field(
            ({ defaultLocale }) => defaultLocale,
            (defaultLocale) => ({ defaultLocale: defaultLocale as Settings['defaultLocale'] }),
          )}
        />
        <Editable
          label={words.timezone}
          value={settings.timezone}
          shown={<bdi>{cityOf(settings.timezone, locale)}</bdi>}
          choice={(choice) => <ZoneChoice {...choice} />}
          onSave={field(
            ({ timezone }) => timezone,
            (timezone) => ({ timezone }),
          )}
        />
        <Editable
          label={words.currency}
          value={settings.currency}
          shown={currencies.find(({ id }) => id === settings.currency)?.label}
          options={currencies}
          onSave={field(
            ({ currency }) => currency,
            (currency) => ({ currency: currency as Settings['currency'] }),
          )}
        />
        <Editable
          label={words.address}
          value={settings.baseUrl ?? ''}
          shown={<span className="ltr">{settings.baseUrl}</span>}
          none={words.addressNone}
          hint={words.addressHint}
          kind="url"
          check={(typed) => (hasPath(typed) ? words.addressPath : undefined)}
          onSave={
            isOwner(me)
              ? field(
                  ({ baseUrl }) => baseUrl ?? '',
                  (baseUrl) => ({ baseUrl: baseUrl || null }),
                )
              : undefined
          }
        />
      </Facts>
    </Section>
  )
}

const Rules = ({ settings }: { settings: Settings }) => {
  const hasVideo = useFeature('courses_video')
  const { institute: words, messageTexts } = useWords()
  const within = (bound: { min: number; max: number }) => ({
    bound,
    wrong: words.notBetween(`${bound.min}–${bound.max}`),
  })
  return (
    <Section title={words.rules}>
      <Facts>
        <Editable
          label={words.dueDays}
          value={String(settings.invoiceDueDays)}
          shown={words.days(settings.invoiceDueDays)}
          hint={words.dueDaysHint}
          kind="number"
          {...within(BOUNDS.SettingsChanges.invoiceDueDays)}
          onSave={field(
            ({ invoiceDueDays }) => String(invoiceDueDays),
            (days) => ({ invoiceDueDays: numberOf(days) ?? 0 }),
          )}
        />
        <Editable
          label={words.offerDays}
          value={String(settings.offerDays)}
          shown={words.days(settings.offerDays)}
          hint={words.offerDaysHint}
          kind="number"
          {...within(BOUNDS.SettingsChanges.offerDays)}
          onSave={field(
            ({ offerDays }) => String(offerDays),
            (days) => ({ offerDays: numberOf(days) ?? 0 }),
          )}
        />
        <Editable
          label={messageTexts.teachers}
          value={String(settings.teacherMessagesPerDay)}
          hint={messageTexts.teachersHint}
          kind="number"
          {...within(BOUNDS.SettingsChanges.teacherMessagesPerDay)}
          onSave={field(
            ({ teacherMessagesPerDay }) => String(teacherMessagesPerDay),
            (messages) => ({ teacherMessagesPerDay: numberOf(messages) ?? 0 }),
          )}
        />
        <Editable
          label={words.reportsApproval}
          value={String(settings.reportsApproval)}
          shown={settings.reportsApproval ? words.reportsRead : words.reportsDirect}
          hint={words.reportsApprovalHint}
          options={[
            { id: 'false', label: words.reportsDirect },
            { id: 'true', label: words.reportsRead },
          ]}
          onSave={field(
            ({ reportsApproval }) => String(reportsApproval),
            (read) => ({ reportsApproval: read === 'true' }),
          )}
        />
        {hasVideo && (
          <Editable
            label={words.terabox}
            value={String(settings.curriculum.allowTerabox)}
            shown={words.teraboxStates[settings.curriculum.allowTerabox ? 'true' : 'false']}
            hint={words.teraboxHint}
            options={(['false', 'true'] as const).map((id) => ({ id, label: words.teraboxStates[id] }))}
            onSave={field(
              ({ curriculum }) => String(curriculum.allowTerabox),
              (allowed) => ({ curriculum: { allowTerabox: allowed === 'true' } }),
            )}
          />
        )}
        <Editable
          label={words.lateAfter}
          value={String(settings.attendance.lateAfterMinutes)}
          shown={words.minutes(settings.attendance.lateAfterMinutes)}
          hint={words.lateAfterHint}
          kind="number"
          {...within(BOUNDS.AttendanceSettingsChanges.lateAfterMinutes)}
          onSave={field(
            ({ attendance }) => String(attendance.lateAfterMinutes),
            (minutes) => ({ attendance: { lateAfterMinutes: numberOf(minutes) ?? 0 } }),
          )}
        />
      </Facts>
    </Section>
  )
}

/** What invoices, receipts and other papers say of the institute. */
const OnPapers = ({ settings }: { settings: Settings }) => {
  const { institute: words, edit } = useWords()
  return (
    <Section title={words.papers}>
      <Facts>
        <Editable
          label={words.postal}
          value={settings.papers.address ?? ''}
          none={words.postalNone}
          hint={words.postalHint}
          kind="long"
          bound={BOUNDS.PaperSettingsChanges.address}
          onSave={field(
            ({ papers }) => papers.address ?? '',
            (address) => ({ papers: { address: address || null } }),
          )}
        />
        <Editable
          label={words.taxNumber}
          value={settings.papers.taxNumber ?? ''}
          none={edit.empty}
          hint={words.taxNumberHint}
          bound={BOUNDS.PaperSettingsChanges.taxNumber}
          onSave={field(
            ({ papers }) => papers.taxNumber ?? '',
            (taxNumber) => ({ papers: { taxNumber: plainDigits(taxNumber) || null } }),
          )}
        />
        <Editable
          label={words.footer}
          value={settings.invoiceFooter ?? ''}
          none={edit.empty}
          hint={words.footerHint}
          kind="long"
          bound={BOUNDS.SettingsChanges.invoiceFooter}
          onSave={field(
            ({ invoiceFooter }) => invoiceFooter ?? '',
            (invoiceFooter) => ({ invoiceFooter: invoiceFooter || null }),
          )}
        />
        <Editable
          label={words.inMails}
          value={settings.papers.inMails ? 'with' : 'without'}
          shown={words.mailsGo[settings.papers.inMails ? 'with' : 'without']}
          options={(['with', 'without'] as const).map((id) => ({ id, label: words.mailsGo[id] }))}
          hint={words.inMailsHint}
          onSave={field(
            ({ papers }) => (papers.inMails ? 'with' : 'without'),
            (chosen) => ({ papers: { inMails: chosen === 'with' } }),
          )}
        />
      </Facts>
    </Section>
  )
}
