import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../contract/operations.ts'
import { SCREENS, type Path, type Screen } from '../../../src/console/map.ts'
import { isHere, mayOpen, placesOf, platformPlaces } from '../../../src/console/shell/navigation.ts'
import { en } from '../../../src/console/words/en/index.ts'

const paths = SCREENS.map(({ path }) => path)
const byPath = new Map<string, Screen>(SCREENS.map((screen) => [screen.path, screen]))

/** Somebody with these permissions. */
const somebody = (permissions: readonly string[], roleKey = 'teacher') => ({
  can: (...wanted: string[]) => wanted.some((permission) => permissions.includes(permission)),
  membership: { roles: [{ roleId: '1', roleKey, roleName: roleKey }] },
})

describe('the map of the screens', () => {
  test('names each address once, and each that has a name of its own before those with an id', () => {
    expect(new Set(paths).size).toBe(paths.length)
    const shapeOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`)
    for (const [at, path] of paths.entries()) {
      for (const later of paths.slice(at + 1)) expect(later, `${path} hides it`).not.toMatch(shapeOf(path))
    }
  })

  test('leads from each screen up to one in the rail, or to one of its own', () => {
    const topOf = (path: string): string => {
      const { rail, platformRail, parent } = byPath.get(path)!
      return rail || platformRail || parent === undefined ? path : topOf(parent)
    }
    expect(new Set(paths.map(topOf))).toEqual(
      new Set([
        ...SCREENS.filter(({ rail, platformRail }) => rail || platformRail).map(({ path }) => path),
        '/find',
        '/inbox',
        '/account',
      ]),
    )
  })
})

test('the rail has the places that somebody may open, in one order', () => {
  const of = (...who: Parameters<typeof somebody>) => placesOf(en, somebody(...who)).map(({ to }) => to)
  expect(of([])).toEqual(['/today'])
  expect(of(['groups.read', 'students.read'])).toEqual(['/today', '/students', '/groups', '/week'])
  expect(of(['members.read'])).toEqual(['/today', '/settings'])
  // A family has its own places and none of the office; who teaches and is a parent has both.
  expect(of([], 'guardian')).toEqual(['/today', '/children'])
  expect(placesOf(en, somebody([], 'guardian'))[1]).toMatchObject({ label: en.shell.nav.children })
  expect(placesOf(en, somebody([], 'student'))[1]).toMatchObject({ label: en.shell.nav.mine })
  expect(of(['groups.read'], 'guardian')).toEqual(['/today', '/children', '/groups', '/week'])
  expect(of(['settings.manage', 'reports.read'])).toEqual(['/today', '/reports', '/settings'])
  expect(placesOf(en, somebody(['invoices.read']))[1]).toEqual({ to: '/invoices', icon: 'note', label: 'Money' })
})

test.for<[string, Path | undefined]>([
  ['/', '/today'],
  ['/today/unmarked', '/today'],
  ['/children/1', '/children'],
  ['/children/1/money', '/children'],
  ['/children/1/courses/2/3', '/children'],
  ['/sessions/1', '/today'],
  ['/pay/students/1', '/pay'],
  ['/till', '/pay'],
  ['/reports/debts', '/reports'],
  ['/guardians/1', '/students'],
  ['/register', '/students'],
  ['/import', '/students'],
  ['/courses/new', '/groups'],
  ['/courses/1', '/groups'],
  ['/courses/1/curriculum', '/groups'],
  ['/lessons/1', '/groups'],
  ['/receipts/1', '/invoices'],
  ['/invoices/1/edit', '/invoices'],
  ['/settings/roles', '/settings'],
  ['/platform/licenses/1', '/platform/licenses'],
  ['/find', undefined],
  ['/inbox', undefined],
  ['/nowhere', undefined],
])('%s lies below %s', ([address, place]) => {
  const marked = SCREENS.filter(({ rail, platformRail, path }) => (rail || platformRail) && isHere(address, path)).map(
    ({ path }) => path,
  )
  expect(marked).toEqual(place === undefined ? [] : [place])
})

test('screens of the platform are the vendor’s alone, and each of their places has a name', () => {
  const ofPlatform = SCREENS.filter(({ isForPlatform }) => isForPlatform)
  for (const { path } of ofPlatform) {
    expect(path).toMatch(/^\/platform\//)
    expect(mayOpen(path, somebody([], 'owner')), path).toBe(false)
  }
  const places = platformPlaces(en)
  expect(places[0]).toEqual({ to: '/platform/institutes', icon: 'groups', label: en.platform.nav.institutes })
  for (const { label } of places) expect(label).toBeTruthy()
})

test('a screen is open to whoever holds one of its permissions, or to owners alone', () => {
  expect(mayOpen('/account', somebody([]))).toBe(true)
  expect(mayOpen('/find', somebody(['staff.read']))).toBe(true)
  expect(mayOpen('/find', somebody(['invoices.read']))).toBe(false)
  expect(mayOpen('/settings/server', somebody(['settings.manage']))).toBe(false)
  expect(mayOpen('/settings/server', somebody([], 'owner'))).toBe(true)
})

describe('a screen needs what it is for', () => {
  const accessTo = (operation: string) =>
    OPERATIONS.find(({ method, path }) => `${method} ${path}` === operation)?.access ?? `no operation ${operation}`

  test.each<[Path, operation: string]>([
    ['/sessions/:id', 'GET /sessions/{id}/attendance'],
    ['/pay', 'POST /payments'],
    ['/pay/students/:id', 'POST /payments'],
    ['/pay/guardians/:id', 'POST /payments'],
    ['/till', 'POST /tills/close'],
    ['/register', 'POST /registrations'],
    ['/import', 'POST /imports'],
    ['/groups/new', 'POST /groups'],
    ['/groups/rollover', 'POST /groups/rollover'],
    ['/groups/:id/gradebook/:examId', 'GET /exams/{id}/results'],
    ['/courses/new', 'POST /courses'],
    ['/courses/categories', 'GET /course-categories'],
    ['/courses/:id/curriculum', 'GET /courses/{courseId}/curriculum'],
    ['/invoices/new', 'POST /invoices'],
    ['/invoices/run', 'POST /billing/runs'],
    ['/invoices/runs', 'GET /billing/runs'],
    ['/invoices/:id/edit', 'PATCH /invoices/{id}'],
    ['/messages/calls', 'GET /notifications/calls'],
    ['/settings/institute', 'PATCH /settings'],
    ['/settings/branches', 'POST /branches'],
    ['/settings/people', 'GET /members'],
    ['/settings/people/signed-in', 'GET /members/sessions'],
    ['/settings/roles/new', 'POST /roles'],
    ['/settings/keys', 'GET /api-keys'],
    ['/settings/keys/new', 'POST /api-keys'],
    ['/settings/webhooks', 'GET /webhooks'],
    ['/settings/webhooks/new', 'POST /webhooks'],
    ['/settings/webhooks/:id', 'GET /webhooks/{id}'],
    ['/settings/history', 'GET /audit'],
    ['/settings/messages', 'GET /notification-templates'],
    ['/settings/messages/text', 'PATCH /notification-templates/{id}'],
  ])('%s: %s', (path, operation) => {
    expect(byPath.get(path)?.needs).toEqual([accessTo(operation)])
  })

  test('where the API has a list or a record of the same address', () => {
    const read = SCREENS.flatMap(({ path, needs = [] }) => {
      const access = String(accessTo(`GET ${path.replaceAll(/:\w+/g, '{id}')}`))
      return needs.length === 1 && /^[a-z]+\.[a-z]+$/.test(access) ? [{ path, needed: needs[0], access }] : []
    }).filter(({ path }) => path !== '/sessions/:id')
    expect(read.length).toBeGreaterThan(20)
    expect(read.filter(({ needed, access }) => needed !== access)).toEqual([])
  })
})
