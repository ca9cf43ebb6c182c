import { expect, test } from 'vitest'
import { linesOf, MOST_LINES, turned, type NewPerson } from '../../../src/console/screens/groups/pasted.ts'

const meantBy = (pasted: string) => linesOf(pasted).map(({ line }) => line)

test.each([
  ['Lina Khoury', 'Lina Khoury'],
  ['S-000012', 'S-000012'],
  ['1\tLina Khoury\tS-000012\t054-123-4567', 'S-000012'],
  ['Lina,Khoury,054-123-4567', '054-123-4567'],
  ['Lina;Khoury;7', 'Lina Khoury'],
  ['1. Lina Khoury', 'Lina Khoury'],
  ['12) Lina Khoury', 'Lina Khoury'],
  ['• لينا خوري', 'لينا خوري'],
  ['٠٥٤١٢٣٤٥٦٧', '0541234567'],
  ['\u200fלינה חורי\u200e', 'לינה חורי'],
  ['Anne-Marie', 'Anne-Marie'],
])('of a line that is pasted, what tells who is meant: %j', (line, meant) => {
  expect(meantBy(line)).toEqual([meant])
})

test.each([
  ['Lina Khoury', { firstName: 'Lina', lastName: 'Khoury', nationalId: null, phone: null }],
  [
    'Lina\tKhoury\t012345674\t0541234567',
    { firstName: 'Lina', lastName: 'Khoury', nationalId: '012345674', phone: '0541234567' },
  ],
  ['Lina\tKhoury\t01234567-4', { firstName: 'Lina', lastName: 'Khoury', nationalId: '01234567-4', phone: null }],
  [
    '1\tمحمد علي خوري\t054-123-4567\tسابع',
    { firstName: 'محمد', lastName: 'علي خوري', nationalId: null, phone: '054-123-4567' },
  ],
  [
    'Lina,Khoury,lina@example.org,0541234567',
    { firstName: 'Lina', lastName: 'Khoury', nationalId: null, phone: '0541234567' },
  ],
  ['3. Lina Khoury', { firstName: 'Lina', lastName: 'Khoury', nationalId: null, phone: null }],
  ['Lina', undefined],
  ['S-000012', undefined],
  ['0541234567', undefined],
])('of a line that fits nobody, who may be meant: %j', (line, person) => {
  expect(linesOf(line).map((one) => one.person)).toEqual([person])
})

test('names stand where the heads say, and are turned where there are none', () => {
  const [line] = linesOf('שם משפחה\tשם פרטי\tת.ז\nבר אור\tדנה\t12345674')
  expect(line?.person).toEqual({ firstName: 'דנה', lastName: 'בר אור', nationalId: '12345674', phone: null })
  const [without] = linesOf('בר-אור\tדנה')
  expect(turned(without?.person as NewPerson)).toMatchObject({ firstName: 'דנה', lastName: 'בר-אור' })
})

test('lines are taken once each, without empty ones, and no more than are enrolled at once', () => {
  expect(meantBy('Lina\r\n\r\n  Lina \nAli\n3\n')).toEqual(['Lina', 'Ali'])
  expect(linesOf(Array.from({ length: 1000 }, (_, index) => `S-${index + 1000}`).join('\n'))).toHaveLength(MOST_LINES)
})
