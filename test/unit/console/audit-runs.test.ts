import { expect, test } from 'vitest'
import type { Entry } from '../../../src/console/records/audit/acts.ts'
import { withoutRuns } from '../../../src/console/records/audit/runs.ts'

const entries = (...actions: string[]) => actions.map((action, id) => ({ id: String(id), action }) as Entry)
const told = (...actions: string[]) =>
  withoutRuns(entries(...actions)).map(({ entry, count }) => `${count} × ${entry.action} ${entry.id}`)

test('renewals of sign-ins that follow on each other are one line, and nothing else is put together', () => {
  expect(told('auth.refresh', 'auth.refresh', 'plans.create', 'plans.create', 'auth.refresh')).toEqual([
    '2 × auth.refresh 0',
    '1 × plans.create 2',
    '1 × plans.create 3',
    '1 × auth.refresh 4',
  ])
})
