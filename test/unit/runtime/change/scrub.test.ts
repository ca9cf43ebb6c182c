import { expect, test } from 'vitest'
import { scrubbed } from '#runtime/change/scrub.ts'

const DANA = '0b0d3a52-6a2e-4f8e-9a3d-1f0e2d3c4b5a'
const OMAR = '7c1e4b60-2b7f-4c1a-8d5e-9f8e7d6c5b4a'
const ids = new Set([DANA])

test.each<[what: string, value: unknown, expected: unknown]>([
  [
    'by an id, with all that is in the object',
    { studentId: DANA, note: 'دانا "ليفي" \\ ילדה', nested: { list: ['Dana'] }, status: 'absent' },
    { studentId: DANA, note: null, nested: { list: [null] }, status: 'absent' },
  ],
  [
    'in a list of many, and leaves the others',
    [
      { studentId: DANA, note: 'ill' },
      { studentId: OMAR, note: 'late' },
    ],
    [
      { studentId: DANA, note: null },
      { studentId: OMAR, note: 'late' },
    ],
  ],
  ['by a list of them alone', { studentIds: [DANA], message: 'Dana is ill' }, { studentIds: [DANA], message: null }],
  [
    'not by a list of many: what they were told is of all of them',
    { studentIds: [DANA, OMAR], message: 'Bring water' },
    { studentIds: [DANA, OMAR], message: 'Bring water' },
  ],
  [
    'under a key, and leaves what stands under others',
    { [DANA]: { note: 'ill' }, [OMAR]: { note: 'late' } },
    { [DANA]: { note: null }, [OMAR]: { note: 'late' } },
  ],
  [
    'in words that begin as a moment does',
    { id: DANA, at: '2026-03-01T10:00:00.000Z', note: '2026-03-01T10:00:00 Dana' },
    { id: DANA, at: '2026-03-01T10:00:00.000Z', note: null },
  ],
])('takes a person out %s', (_, value, expected) => {
  expect(scrubbed(value, ids)).toEqual(expected)
})
