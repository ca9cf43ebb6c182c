import type { ComponentType } from 'react'
import { Route, Switch } from 'wouter'
import { ButtonLink } from './parts/button.tsx'
import { Empty } from './parts/notice.tsx'
import { Page } from './parts/page.tsx'
import { useWords } from './words/language.tsx'
import { later } from './shell/later.tsx'
import { isOwner, useMe, type Permission } from './shell/me.tsx'

interface Screen {
  path: string
  Screen: ComponentType
  /** One of these is needed; none: whoever is signed in. */
  needs?: readonly Permission[]
  /** Whether it belongs to the owners of the institute alone. */
  isForOwner?: true
}

/** Whoever may read one of these finds something. */
const FOUND: readonly Permission[] = ['students.read', 'guardians.read', 'staff.read', 'groups.read']

/** Whoever holds one of these has something to set up. */
const SETS_UP: readonly Permission[] = ['settings.manage', 'members.read', 'branches.manage', 'integration.manage']

const SCREENS: readonly Screen[] = [
  { path: '/', Screen: later(() => import('./screens/today/page.tsx')) },
  { path: '/today', Screen: later(() => import('./screens/today/page.tsx')) },
  { path: '/leads', Screen: later(() => import('./screens/leads/page.tsx')), needs: ['leads.read'] },
  { path: '/leads/:id', Screen: later(() => import('./screens/leads/lead.tsx')), needs: ['leads.read'] },
  { path: '/pay', Screen: later(() => import('./screens/payment/page.tsx')), needs: ['payments.record'] },
  {
    path: '/pay/students/:id',
    Screen: later(() => import('./screens/payment/till.tsx').then(({ StudentScreen }) => ({ Screen: StudentScreen }))),
    needs: ['payments.record'],
  },
  {
    path: '/pay/guardians/:id',
    Screen: later(() =>
      import('./screens/payment/till.tsx').then(({ GuardianScreen }) => ({ Screen: GuardianScreen })),
    ),
    needs: ['payments.record'],
  },
  { path: '/invoices', Screen: later(() => import('./screens/invoices/page.tsx')), needs: ['invoices.read'] },
  { path: '/invoices/new', Screen: later(() => import('./screens/invoices/new.tsx')), needs: ['invoices.write'] },
  { path: '/invoices/run', Screen: later(() => import('./screens/invoices/run.tsx')), needs: ['invoices.write'] },
  { path: '/invoices/:id', Screen: later(() => import('./screens/invoices/invoice.tsx')), needs: ['invoices.read'] },
  {
    path: '/invoices/:id/edit',
    Screen: later(() => import('./screens/invoices/new.tsx').then(({ EditScreen }) => ({ Screen: EditScreen }))),
    needs: ['invoices.write'],
  },
  { path: '/receipts', Screen: later(() => import('./screens/receipts/page.tsx')), needs: ['invoices.read'] },
  { path: '/receipts/:id', Screen: later(() => import('./screens/receipts/receipt.tsx')), needs: ['invoices.read'] },
  { path: '/inbox', Screen: later(() => import('./screens/inbox/page.tsx')) },
  { path: '/account', Screen: later(() => import('./screens/account/page.tsx')) },
  {
    path: '/today/unmarked',
    Screen: later(() => import('./screens/today/unmarked.tsx')),
    needs: ['attendance.read'],
  },
  { path: '/sessions/:id', Screen: later(() => import('./screens/attendance/page.tsx')), needs: ['attendance.read'] },
  { path: '/find', Screen: later(() => import('./screens/find/page.tsx')), needs: FOUND },
  { path: '/students', Screen: later(() => import('./screens/students/page.tsx')), needs: ['students.read'] },
  { path: '/students/:id', Screen: later(() => import('./screens/students/student.tsx')), needs: ['students.read'] },
  {
    path: '/register',
    Screen: later(() => import('./screens/register/page.tsx')),
    needs: ['students.write'],
  },
  { path: '/import', Screen: later(() => import('./screens/import/page.tsx')), needs: ['students.write'] },
  { path: '/guardians/:id', Screen: later(() => import('./screens/guardians/page.tsx')), needs: ['guardians.read'] },
  { path: '/groups', Screen: later(() => import('./screens/groups/page.tsx')), needs: ['groups.read'] },
  { path: '/groups/new', Screen: later(() => import('./screens/groups/new.tsx')), needs: ['groups.write'] },
  { path: '/courses', Screen: later(() => import('./screens/courses/page.tsx')), needs: ['courses.read'] },
  { path: '/courses/new', Screen: later(() => import('./screens/courses/new.tsx')), needs: ['courses.write'] },
  { path: '/courses/:id', Screen: later(() => import('./screens/courses/course.tsx')), needs: ['courses.read'] },
  { path: '/week', Screen: later(() => import('./screens/week/page.tsx')), needs: ['groups.read'] },
  { path: '/groups/:id', Screen: later(() => import('./screens/groups/group.tsx')), needs: ['groups.read'] },
  { path: '/settings', Screen: later(() => import('./screens/settings/page.tsx')), needs: SETS_UP },
  {
    path: '/settings/institute',
    Screen: later(() => import('./screens/settings/institute.tsx')),
    needs: ['settings.manage'],
  },
  {
    path: '/settings/branches',
    Screen: later(() => import('./screens/settings/branches.tsx')),
    needs: ['branches.manage'],
  },
  { path: '/settings/people', Screen: later(() => import('./screens/settings/people.tsx')), needs: ['members.read'] },
  {
    path: '/settings/website',
    Screen: later(() => import('./screens/settings/website.tsx')),
    needs: ['integration.manage'],
  },
  { path: '/settings/mail', Screen: later(() => import('./screens/settings/mail.tsx')), isForOwner: true },
  {
    path: '/settings/backups',
    Screen: later(() => import('./screens/settings/backups.tsx')),
    isForOwner: true,
  },
  {
    path: '/settings/server',
    Screen: later(() => import('./screens/settings/server.tsx')),
    isForOwner: true,
  },
  { path: '/settings/roles', Screen: later(() => import('./screens/settings/roles.tsx')), needs: ['members.read'] },
]

const NotThere = () => {
  const { shell } = useWords()
  return (
    <Page title={shell.notThere.title}>
      <Empty>
        <p>{shell.notThere.text}</p>
        <ButtonLink to="/today" look="primary">
          {shell.notThere.home}
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
    <Switch>
      {SCREENS.map(({ path, Screen, needs, isForOwner }) => (
        <Route key={path} path={path}>
          {(!needs || me.can(...needs)) && (!isForOwner || isOwner(me)) ? <Screen /> : <NotAllowed />}
        </Route>
      ))}
      <Route>
        <NotThere />
      </Route>
    </Switch>
  )
}
