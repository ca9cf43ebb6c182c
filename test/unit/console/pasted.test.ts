import { expect, test } from 'vitest'
import { linesOf, MOST_LINES, turned, type NewPerson } from '../../../src/console/screens/groups/pasted.ts'

const meantBy = (pasted: string) => linesOf(pasted).map(({ questions }) => questions)

test.each<[string, object[]]>([
  ['Lina Khoury', [{ q: 'Lina Khoury' }]],
  ['S-000012', [{ q: 'S-000012', isNumber: true }]],
  [
    '1\tLina Khoury\tS-000012\t054-123-4567',
    [{ q: 'S-000012', isNumber: true }, { q: 'Lina Khoury 054-123-4567' }, { q: 'Lina Khoury' }],
  ],
  ['Lina,Khoury,054-123-4567', [{ q: 'Lina Khoury 054-123-4567' }, { q: 'Lina Khoury' }]],
  ['Lina;Khoury;7', [{ q: 'Lina Khoury' }]],
  ['1. Lina Khoury', [{ q: 'Lina Khoury' }]],
  ['12) Lina Khoury', [{ q: 'Lina Khoury' }]],
  ['• لينا خوري', [{ q: 'لينا خوري' }]],
  ['٠٥٤١٢٣٤٥٦٧', [{ q: '0541234567' }]],
  ['\u200fלינה חורי\u200e', [{ q: 'לינה חורי' }]],
  ['Anne-Marie', [{ q: 'Anne-Marie' }]],
  ['Lina\tKhoury\t01234567-4', [{ nationalId: '01234567-4' }, { q: 'Lina Khoury' }]],
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
  // What begins as no phone does is none, whether its last digit fits or not; a mobile whose zero a spreadsheet took is one.
  ['Lina\tKhoury\t312345678', { firstName: 'Lina', lastName: 'Khoury', nationalId: '312345678', phone: null }],
  ['Lina\tKhoury\t541234567', { firstName: 'Lina', lastName: 'Khoury', nationalId: null, phone: '541234567' }],
  ['Lina', undefined],
  ['S-000012', undefined],
  ['0541234567', undefined],
])('of a line that fits nobody, who may be meant: %j', (line, person) => {
  expect(linesOf(line).map((one) => one.person)).toEqual([person])
})

test('names stand where the heads say, and are turned where there are none', () => {
  const [line] = linesOf('שם משפחה\tשם פרטי\tת.ז\nבר אור\tדנה\t12345674')
  expect(line?.person).toEqual({ firstName: 'דנה', lastName: 'בר אור', nationalId: '12345674', phone: null })
  const [of] = linesOf(
    'اسم العائلة;الاسم الأول;هاتف الأم;هاتف الطالب;رقم الهوية\nخوري;ليان;0501234567;0507654321;123456789',
  )
  // Of the columns that a student has, and no others; an identity number is none the less for a wrong digit.
  expect(of?.person).toEqual({ firstName: 'ليان', lastName: 'خوري', nationalId: '123456789', phone: '0507654321' })
  const [without] = linesOf('בר-אור\tדנה')
  expect(turned(without?.person as NewPerson)).toMatchObject({ firstName: 'דנה', lastName: 'בר-אור' })
})

test('lines are taken once each, without empty ones, and no more than are enrolled at once', () => {
  expect(linesOf('Lina\r\n\r\n  Lina \nAli\n3\n').map(({ line }) => line)).toEqual(['Lina', 'Ali'])
  expect(linesOf(Array.from({ length: 1000 }, (_, index) => `S-${index + 1000}`).join('\n'))).toHaveLength(MOST_LINES)
})

test('brothers and sisters with one phone are a line each', () => {
  expect(linesOf('Lina\tKhoury\t0541234567\nSami\tKhoury\t0541234567').map(({ person }) => person?.firstName)).toEqual([
    'Lina',
    'Sami',
  ])
})
