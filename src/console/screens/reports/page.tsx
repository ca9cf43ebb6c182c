import { Link } from 'wouter'
import type { Path } from '../../map.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { FeatureOff } from '../../records/feature/off.tsx'
import { useFeature } from '../../records/feature/reads.ts'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'
import { Accountant } from './accountant.tsx'

/** Which reports there are. */
export const Screen = () => {
  const { reporting: words, reports: progress } = useWords()
  const { can, canEverywhere } = useMe()
  const isOn = useFeature('advanced_reports')
  const reports: readonly { to: Path; icon: IconName; name: string; about: string; isOff?: boolean }[] = [
    { to: '/reports/attendance', icon: 'today', name: words.attendance, about: words.attendanceAbout },
    {
      to: '/reports/income',
      icon: 'money',
      name: words.income,
      about: words.incomeAbout,
      isOff: !can('invoices.read'),
    },
    { to: '/reports/debts', icon: 'note', name: words.debts, about: words.debtsAbout, isOff: !can('invoices.read') },
    { to: '/reports/enrollment', icon: 'people', name: words.enrollment, about: words.enrollmentAbout },
    { to: '/progress-reports', icon: 'note', name: progress.title, about: progress.about },
    { to: '/reports/staff-hours', icon: 'clock', name: words.hours, about: words.hoursAbout },
  ]
  return (
    <Page title={words.title} about={words.about}>
      {isOn === false && <FeatureOff feature="advanced_reports" icon="chart" words={words} />}
      <div className="report-cards">
        {reports
          .filter(({ isOff }) => !isOff)
          .map(({ to, icon, name, about }) => (
            <Link key={to} href={to} className="report-card">
              <Icon name={icon} />
              <span className="grow">
                <span className="name">{name}</span>
                <span className="about">{about}</span>
              </span>
            </Link>
          ))}
      </div>
      {canEverywhere('invoices.read') && <Accountant />}
    </Page>
  )
}
