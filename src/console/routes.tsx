import type { ComponentType } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { SCREENS, type Path } from './map.ts'
import { ButtonLink } from './parts/button.tsx'
import { Empty } from './parts/notice.tsx'
import { Page } from './parts/page.tsx'
import { LoadAheadContext, type LoadAhead } from './shell/ahead.ts'
import { later } from './shell/later.tsx'
import { useMe } from './shell/me.tsx'
import { isOfPlatform, mayOpen, PLATFORM_HOME } from './shell/navigation.ts'
import { useWords } from './words/language.tsx'

type Load = () => Promise<{ Screen: ComponentType }>

/** What each screen of the map shows, loaded when somebody opens it. */
const PAGES: Readonly<Record<Path, Load>> = {
  '/': () => import('./screens/today/page.tsx'),
  '/today': () => import('./screens/today/page.tsx'),
  '/children': () => import('./screens/children/page.tsx'),
  '/children/:id': () => import('./screens/children/lessons.tsx'),
  '/children/:id/marks': () => import('./screens/children/marks.tsx'),
  '/children/:id/money': () => import('./screens/children/money.tsx'),
  '/children/:id/courses': () => import('./screens/children/courses.tsx'),
  '/children/:id/courses/:courseId': () => import('./screens/children/course.tsx'),
  '/children/:id/courses/:courseId/:lessonId': () => import('./screens/children/video-lesson.tsx'),
  '/details': () => import('./screens/details/page.tsx'),
  '/today/unmarked': () => import('./screens/today/unmarked.tsx'),
  '/sessions/:id': () => import('./screens/attendance/page.tsx'),
  '/pay': () => import('./screens/payment/page.tsx'),
  '/pay/students/:id': async () => ({ Screen: (await import('./screens/payment/till.tsx')).StudentScreen }),
  '/pay/guardians/:id': async () => ({ Screen: (await import('./screens/payment/till.tsx')).GuardianScreen }),
  '/till': () => import('./screens/till/page.tsx'),
  '/students': () => import('./screens/students/page.tsx'),
  '/guardians': () => import('./screens/guardian-list/page.tsx'),
  '/students/:id': () => import('./screens/students/student.tsx'),
  '/guardians/:id': () => import('./screens/guardians/page.tsx'),
  '/students/:id/account': async () => ({ Screen: (await import('./screens/accounts/page.tsx')).StudentScreen }),
  '/guardians/:id/account': async () => ({ Screen: (await import('./screens/accounts/page.tsx')).GuardianScreen }),
  '/students/:id/erase': async () => ({ Screen: (await import('./screens/erase/page.tsx')).StudentScreen }),
  '/guardians/:id/erase': async () => ({ Screen: (await import('./screens/erase/page.tsx')).GuardianScreen }),
  '/proposals': () => import('./screens/proposals/page.tsx'),
  '/register': () => import('./screens/register/page.tsx'),
  '/import': () => import('./screens/import/page.tsx'),
  '/groups': () => import('./screens/groups/page.tsx'),
  '/groups/new': () => import('./screens/groups/new.tsx'),
  '/groups/rollover': () => import('./screens/rollover/page.tsx'),
  '/groups/:id': () => import('./screens/groups/group.tsx'),
  '/groups/:id/gradebook': () => import('./screens/gradebook/page.tsx'),
  '/groups/:id/gradebook/:examId': async () => ({ Screen: (await import('./screens/gradebook/page.tsx')).ExamScreen }),
  '/groups/:id/progress-reports': () => import('./screens/progress/class.tsx'),
  '/progress-reports': () => import('./screens/progress/page.tsx'),
  '/progress-reports/:id': () => import('./screens/progress/report.tsx'),
  '/courses': () => import('./screens/courses/page.tsx'),
  '/courses/categories': () => import('./screens/courses/categories.tsx'),
  '/courses/new': () => import('./screens/courses/new.tsx'),
  '/courses/:id': () => import('./screens/courses/course.tsx'),
  '/courses/:id/curriculum': () => import('./screens/curriculum/page.tsx'),
  '/courses/:id/students': () => import('./screens/curriculum/students.tsx'),
  '/lessons/:id': () => import('./screens/curriculum/lesson.tsx'),
  '/week': () => import('./screens/week/page.tsx'),
  '/closures': () => import('./screens/closures/page.tsx'),
  '/discounts': () => import('./screens/discounts/page.tsx'),
  '/invoices': () => import('./screens/invoices/page.tsx'),
  '/invoices/new': () => import('./screens/invoices/new.tsx'),
  '/invoices/run': () => import('./screens/invoices/run.tsx'),
  '/invoices/runs': () => import('./screens/invoices/runs.tsx'),
  '/invoices/:id': () => import('./screens/invoices/invoice.tsx'),
  '/invoices/:id/edit': async () => ({ Screen: (await import('./screens/invoices/new.tsx')).EditScreen }),
  '/receipts': () => import('./screens/receipts/page.tsx'),
  '/receipts/:id': () => import('./screens/receipts/receipt.tsx'),
  '/credit-notes': () => import('./screens/notes/page.tsx'),
  '/refunds': () => import('./screens/notes/refunds.tsx'),
  '/cheques': () => import('./screens/cheques/page.tsx'),
  '/leads': () => import('./screens/leads/page.tsx'),
  '/leads/:id': () => import('./screens/leads/lead.tsx'),
  '/messages': () => import('./screens/messages/page.tsx'),
  '/messages/new': () => import('./screens/messages/new.tsx'),
  '/messages/calls': () => import('./screens/messages/calls.tsx'),
  '/messages/:id': () => import('./screens/messages/message.tsx'),
  '/reports': () => import('./screens/reports/page.tsx'),
  '/reports/attendance': () => import('./screens/reports/attendance.tsx'),
  '/reports/income': () => import('./screens/reports/income.tsx'),
  '/reports/income/collected': () => import('./screens/reports/collected.tsx'),
  '/reports/debts': () => import('./screens/reports/debts.tsx'),
  '/reports/enrollment': () => import('./screens/reports/enrollment.tsx'),
  '/reports/enrollment/moves': () => import('./screens/reports/enrollment-moves.tsx'),
  '/reports/staff-hours': () => import('./screens/reports/staff-hours.tsx'),
  '/reports/staff-hours/lessons': () => import('./screens/reports/lessons-given.tsx'),
  '/settings': () => import('./screens/settings/page.tsx'),
  '/settings/institute': () => import('./screens/settings/institute.tsx'),
  '/settings/branches': () => import('./screens/settings/branches.tsx'),
  '/settings/people': () => import('./screens/settings/people.tsx'),
  '/settings/people/signed-in': () => import('./screens/settings/signed-in.tsx'),
  '/settings/roles/new': () => import('./screens/settings/role-new.tsx'),
  '/settings/roles/compare': () => import('./screens/settings/roles-compared.tsx'),
  '/settings/roles/:id': () => import('./screens/settings/role.tsx'),
  '/settings/features': () => import('./screens/settings/features.tsx'),
  '/settings/plan': () => import('./screens/settings/plan.tsx'),
  '/settings/keys': () => import('./screens/settings/keys.tsx'),
  '/settings/keys/new': () => import('./screens/settings/key-new.tsx'),
  '/settings/webhooks': () => import('./screens/webhooks/page.tsx'),
  '/settings/webhooks/new': () => import('./screens/webhooks/new.tsx'),
  '/settings/webhooks/:id': () => import('./screens/webhooks/one.tsx'),
  '/settings/history': () => import('./screens/history/page.tsx'),
  '/settings/roles': () => import('./screens/settings/roles.tsx'),
  '/settings/website': () => import('./screens/settings/website.tsx'),
  '/settings/messages': () => import('./screens/settings/messages.tsx'),
  '/settings/messages/text': () => import('./screens/settings/message-text.tsx'),
  '/settings/mail': () => import('./screens/settings/mail.tsx'),
  '/settings/card': () => import('./screens/settings/card.tsx'),
  '/settings/backups': () => import('./screens/settings/backups.tsx'),
  '/settings/backups/move': () => import('./screens/settings/move.tsx'),
  '/settings/updates': () => import('./screens/settings/updates.tsx'),
  '/settings/server': () => import('./screens/settings/server.tsx'),
  '/settings/network': () => import('./screens/settings/network.tsx'),
  '/platform/institutes': () => import('./screens/platform-institutes/page.tsx'),
  '/platform/institutes/new': () => import('./screens/platform-institutes/new.tsx'),
  '/platform/institutes/:id': () => import('./screens/platform-institutes/one.tsx'),
  '/platform/figures': () => import('./screens/platform-figures/page.tsx'),
  '/platform/renewals': () => import('./screens/platform-plans/renewals.tsx'),
  '/platform/licenses': () => import('./screens/platform-licenses/page.tsx'),
  '/platform/licenses/:id': () => import('./screens/platform-licenses/one.tsx'),
  '/platform/plans': () => import('./screens/platform-plans/page.tsx'),
  '/platform/plans/new': () => import('./screens/platform-plans/new.tsx'),
  '/platform/plans/:id': () => import('./screens/platform-plans/one.tsx'),
  '/platform/jobs': () => import('./screens/platform-jobs/page.tsx'),
  '/platform/users': () => import('./screens/platform-users/page.tsx'),
  '/platform/history': () => import('./screens/platform-history/page.tsx'),
  '/find': () => import('./screens/find/page.tsx'),
  '/inbox': () => import('./screens/inbox/page.tsx'),
  '/open': () => import('./screens/open/page.tsx'),
  '/account': () => import('./screens/account/page.tsx'),
}

const SHOWN = SCREENS.map(({ path }) => ({ path, Screen: later(PAGES[path]) }))

// Without a network the page is loaded when it is opened.
const loadAhead: LoadAhead = (path) =>
  PAGES[path]().then(
    () => {},
    () => {},
  )

const NotThere = ({ home }: { home?: Path }) => {
  const { shell, platform } = useWords()
  return (
    <Page title={shell.notThere.title}>
      <Empty>
        <p>{shell.notThere.text}</p>
        <ButtonLink to={home ?? '/today'} look="primary">
          {home === undefined ? shell.notThere.home : platform.nav.institutes}
        </ButtonLink>
      </Empty>
    </Page>
  )
}

const NotAllowed = () => {
  const { shell } = useWords()
  return (
    <Page title={shell.notAllowed.title}>
      <Empty>
        <p>{shell.notAllowed.text}</p>
        <ButtonLink to="/today" look="primary">
          {shell.notThere.home}
        </ButtonLink>
      </Empty>
    </Page>
  )
}

/** Shows the screen of the address. Each address can be sent to somebody else, and reloaded. */
export const Routes = () => {
  const me = useMe()
  return (
    <LoadAheadContext value={loadAhead}>
      <Switch>
        {SHOWN.map(({ path, Screen }) => (
          <Route key={path} path={path}>
            {mayOpen(path, me) ? <Screen /> : <NotAllowed />}
          </Route>
        ))}
        <Route>
          <NotThere />
        </Route>
      </Switch>
    </LoadAheadContext>
  )
}

const OF_PLATFORM = SHOWN.filter(({ path }) => isOfPlatform(path))

const PlatformAccount = later(() => import('./screens/account/platform.tsx'))

/** The same for the vendor. Whoever comes to the console itself, or to the first page of an institute, is led to theirs. */
export const PlatformRoutes = () => (
  <LoadAheadContext value={loadAhead}>
    <Switch>
      {OF_PLATFORM.map(({ path, Screen }) => (
        <Route key={path} path={path}>
          <Screen />
        </Route>
      ))}
      <Route path="/account">
        <PlatformAccount />
      </Route>
      {(['/', '/today', '/platform'] as const).map((path) => (
        <Route key={path} path={path}>
          <Redirect to={PLATFORM_HOME} replace />
        </Route>
      ))}
      <Route>
        <NotThere home={PLATFORM_HOME} />
      </Route>
    </Switch>
  </LoadAheadContext>
)
