import { expect, test } from 'vitest'
import { TAKEN_TYPES } from '#modules/files/media-types.ts'
import { ENDINGS, faultOf, MOST_BYTES, typeOf } from '../../../src/console/records/file/taken.ts'

test('a file is of the type that its ending says, whatever the browser makes of it', () => {
  expect(typeOf('Contract.PDF')).toBe('application/pdf')
  expect(typeOf('شهادة.jpeg')).toBe('image/jpeg')
  expect(typeOf('marks.2026.csv')).toBe('text/csv')
  for (const name of ['page.html', 'drawing.svg', 'pdf', 'x.pdf.exe', 'a.constructor', ''])
    expect(typeOf(name)).toBeUndefined()
})

test('the console offers exactly what the server takes', () => {
  expect([...new Set(ENDINGS.map(typeOf))].toSorted()).toEqual(TAKEN_TYPES.toSorted())
})

test('a file that the server would refuse is refused before it is sent', () => {
  expect(faultOf({ name: 'a.pdf', size: MOST_BYTES })).toBeUndefined()
  expect(faultOf({ name: 'a.pdf', size: MOST_BYTES + 1 })).toBe('size')
  expect(faultOf({ name: 'a.pdf', size: 0 })).toBe('empty')
  expect(faultOf({ name: 'a.exe', size: 1 })).toBe('type')
})
