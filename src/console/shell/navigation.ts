import type { IconName } from '../parts/icon.tsx'
import type { Words } from '../words/index.ts'
import type { useMe } from './me.tsx'

export interface NavigationItem {
  to: string
  icon: IconName
  label: string
}

/** The places that this person may use, in the order of the rail. */
export const placesOf = (
  { shell: { nav } }: Words,
  { can }: Pick<ReturnType<typeof useMe>, 'can'>,
): NavigationItem[] => {
  const places: [boolean, NavigationItem][] = [
    [true, { to: '/today', icon: 'today', label: nav.today }],
    [can('payments.record'), { to: '/pay', icon: 'money', label: nav.pay }],
    [can('students.read'), { to: '/students', icon: 'people', label: nav.students }],
    [can('groups.read'), { to: '/groups', icon: 'groups', label: nav.groups }],
    [can('groups.read'), { to: '/week', icon: 'week', label: nav.week }],
    [can('invoices.read'), { to: '/invoices', icon: 'note', label: nav.money }],
    [can('leads.read'), { to: '/leads', icon: 'phone', label: nav.leads }],
    [
      can('settings.manage', 'members.read', 'branches.manage', 'integration.manage'),
      { to: '/settings', icon: 'settings', label: nav.settings },
    ],
  ]
  return places.filter(([isOpen]) => isOpen).map(([, item]) => item)
}

/** Whether an address lies below this place. */
export const isHere = (address: string, place: string): boolean =>
  address === place ||
  address.startsWith(`${place}/`) ||
  // Families are reached from their students.
  (place === '/students' && (address === '/register' || address.startsWith('/guardians/'))) ||
  // Courses are reached from their groups.
  (place === '/groups' && (address === '/courses' || address.startsWith('/courses/'))) ||
  (place === '/students' && address === '/import') ||
  (place === '/invoices' && address.startsWith('/receipts')) ||
  (place === '/today' && (address === '/' || address.startsWith('/sessions/')))
