import { expect, test } from 'vitest'
import { surprises, type Verdicts } from '#kit/conformance.ts'

const verdicts: Verdicts = new Map([
  ['ping:ping', { status: 'SUCCESS', says: '' }],
  ['tools:names', { status: 'FAILURE', says: 'no names' }],
  ['tools:titles', { status: 'WARNING', says: 'no titles' }],
  ['tasks:end', { status: 'SKIPPED', says: '' }],
] as const)

test('a failure and a warning that no excuse names are surprises', () => {
  expect(surprises(verdicts, [])).toEqual(['tools:names fails: no names', 'tools:titles fails: no titles'])
})

test('so is an excuse for a check that passes, is skipped, or is not there', () => {
  const excuse = { because: 'of a test', checks: ['tools:names', 'tools:titles', 'ping:ping', 'tasks:end', 'x:y'] }
  expect(surprises(verdicts, [excuse])).toEqual([
    'ping:ping is excused, and does not fail',
    'tasks:end is excused, and does not fail',
    'x:y is excused, and does not fail',
  ])
})
