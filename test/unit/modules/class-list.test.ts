import { expect, test } from 'vitest'
import { linesOf } from '#modules/imports/class-list/lines.ts'

const CONTEXT = { timezone: 'Asia/Jerusalem', today: '2026-03-02', currency: 'ILS' }

const read = async (pasted: string) => {
  const { lines, reader } = await linesOf(pasted, CONTEXT)
  return lines.map(({ line, text, row }) => ({ line, text, ...reader.read(row) }))
}
const valuesOf = async (pasted: string) => (await read(pasted)).map(({ values }) => values)

test.each<[string, object]>([
  ['Lina Khoury', { fullName: 'Lina Khoury' }],
  ['S-000012', { studentNumber: 'S-000012' }],
  [
    '1\tLina Khoury\tS-000012\t054-123-4567',
    { studentNumber: 'S-000012', fullName: 'Lina Khoury', phone: '+972541234567' },
  ],
  ['Lina,Khoury,054-123-4567', { firstName: 'Lina', lastName: 'Khoury', phone: '+972541234567' }],
  ['Lina;Khoury;7', { firstName: 'Lina', lastName: 'Khoury' }],
  ['1. Lina Khoury', { fullName: 'Lina Khoury' }],
  ['12) Lina Khoury', { fullName: 'Lina Khoury' }],
  ['• لينا خوري', { fullName: 'لينا خوري' }],
  ['٠٥٤١٢٣٤٥٦٧', { phone: '+972541234567' }],
  ['Anne-Marie', { fullName: 'Anne-Marie' }],
  [
    'Lina\tKhoury\t012345674\t0541234567',
    { firstName: 'Lina', lastName: 'Khoury', nationalId: '012345674', phone: '+972541234567' },
  ],
  ['Lina\tKhoury\t01234567-4', { firstName: 'Lina', lastName: 'Khoury', nationalId: '012345674' }],
  ['1\tمحمد علي خوري\t054-123-4567\tسابع', { fullName: 'محمد علي خوري', phone: '+972541234567' }],
  [
    'Lina,Khoury,lina@example.org,0541234567',
    { firstName: 'Lina', lastName: 'Khoury', email: 'lina@example.org', phone: '+972541234567' },
  ],
  // What begins as no phone does is none; a mobile whose zero a spreadsheet took is one.
  ['Lina\tKhoury\t312345678', { firstName: 'Lina', lastName: 'Khoury', nationalId: '312345678' }],
  ['Lina\tKhoury\t541234567', { firstName: 'Lina', lastName: 'Khoury', phone: '+972541234567' }],
])('what a line without heads says: %j', async (line, values) => {
  expect(await valuesOf(line)).toEqual([values])
})

test('names and the phones of guardians stand where the heads say', async () => {
  expect(await valuesOf('שם משפחה\tשם פרטי\tת.ז\nבר אור\tדנה\t12345674')).toEqual([
    { firstName: 'דנה', lastName: 'בר אור', nationalId: '012345674' },
  ])
  const [line] = await valuesOf(
    'اسم العائلة;الاسم الأول;هاتف الأم;هاتف الطالب;رقم الهوية\nخوري;ليان;0501234567;0507654321;123456789',
  )
  expect(line).toMatchObject({
    firstName: 'ليان',
    lastName: 'خوري',
    motherPhone: '+972501234567',
    phone: '+972507654321',
  })
})

test('lines keep their numbers, and are taken once each, without empty ones', async () => {
  const lines = await read('Lina\r\n\r\n  Lina \nAli\n3\n')
  expect(lines.map(({ line, text }) => [line, text])).toEqual([
    [1, 'Lina'],
    [4, 'Ali'],
  ])
  const headed = await read('\nName\tPhone\nLina Khoury\t0541234567\nSami Khoury\t0541234567')
  expect(headed.map(({ line, text }) => [line, text])).toEqual([
    [3, 'Lina Khoury 0541234567'],
    [4, 'Sami Khoury 0541234567'],
  ])
})

test('a cell that cannot be what its column holds says so', async () => {
  const [line] = await read('Name\tPhone\tDate of birth\nLina Khoury\t12\t31.02.2015')
  expect(line?.complaints.map(({ field, reason }) => [field, reason])).toEqual([
    ['phone', 'not_a_phone'],
    ['birthDate', 'not_a_date'],
  ])
})
