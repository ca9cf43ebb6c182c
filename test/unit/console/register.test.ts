import { describe, expect, test } from 'vitest'
import { isSameName } from '#kernel/names.ts'
import { charged, firstLines, sumOf } from '../../../src/console/screens/register/first-invoice.ts'
import { faultsOf, isMuchOfPhone, isSamePhone, typedFrom } from '../../../src/console/screens/register/typed.ts'

const TODAY = '2026-11-24'

describe('who is registered already', () => {
  test.each([
    ['Ali Haddad', 'ali  HADDAD'],
    ['Ali Haddad', 'Haddad Ali'],
    ['أحمد خوري', 'احمد خوري'],
    ['هدى', 'هدي'],
    ['سارة', 'ساره'],
    ['מִרְיָם כהן', 'מרים כהן'],
    ["Ra'ed", 'Raed'],
    ['José', 'Jose'],
    ['בן־ציון כהן', 'כהן בנציון'],
    ['عبدالله حسن', 'عبد الله حسن'],
    ['ג׳ורג׳ חורי', 'גורג חורי'],
  ])('%s is %s', (one, other) => expect(isSameName(one, other)).toBe(true))
  test.each([
    ['Ali Haddad', 'Alia Haddad'],
    ['Ali', 'Ali Haddad'],
  ])('%s is not %s', (one, other) => expect(isSameName(one, other)).toBe(false))

  test.each([
    '0521234567',
    '052-123-4567',
    '+972 52 123 4567',
    '972521234567',
    '٠٥٢١٢٣٤٥٦٧',
    '\u2066052 1234567\u2069',
  ])('%s is the phone', (typed) => expect(isSamePhone(typed, '+972521234567')).toBe(true))
  test.each(['', '1234567', '0521234568', '05212345678', '521234'])('%s is not', (typed) =>
    expect(isSamePhone(typed, '+972521234567')).toBe(false),
  )
  test.each(['0599123456', '+970599123456', '972-599-123456', '00972599123456'])(
    '%s is the phone under either code',
    (typed) => {
      expect([isSamePhone(typed, '+972599123456'), isSamePhone(typed, '+970599123456')]).toEqual([true, true])
    },
  )
  test('one begins to look once seven digits are typed', () => {
    expect([isMuchOfPhone('052-123'), isMuchOfPhone('052-1234')]).toEqual([false, true])
  })
})

test('what is typed is right, or said what is wrong', () => {
  const begun = typedFrom({ locale: 'ar', branchId: 'b' })
  expect(faultsOf(begun, {}, TODAY)).toEqual({
    'guardian.phone': 'missing',
    'guardian.firstName': 'missing',
    'guardian.lastName': 'missing',
    relationship: 'noAnswer',
    'student.firstName': 'missing',
    'student.lastName': 'missing',
  })
  const student = { ...begun.student, firstName: '  ', lastName: 'www.example.com', nationalId: '1'.repeat(51) }
  const wrong = { ...begun, isWithoutGuardian: true, student: { ...student, birthDate: '2026-11-25', phone: '12ab' } }
  expect(faultsOf(wrong, {}, TODAY)).toEqual({
    'student.firstName': 'missing',
    'student.lastName': 'noName',
    'student.birthDate': 'future',
    'student.nationalId': 'tooLong',
    'student.phone': 'noPhone',
  })
  expect(faultsOf({ ...wrong, student: { ...student, birthDateTyped: '31/2/2015' } }, {}, TODAY)).toMatchObject({
    'student.birthDate': 'noDate',
  })
  // What is saved is not looked at again.
  expect(faultsOf(wrong, { student: {} }, TODAY)).toEqual({})
})

describe('the first invoice', () => {
  const group = {
    id: 'g',
    courseId: 'c',
    courseName: 'Math',
    name: 'Math A',
    feeMinor: 45_000,
    currency: 'ILS',
  } as const
  const fee = (more: Record<string, unknown>) =>
    ({
      id: 'f',
      name: 'Fee',
      kind: 'per_group',
      amount: { amountMinor: 100, currency: 'ILS' },
      recurrence: 'monthly',
      courseId: null,
      groupId: 'g',
      dueDay: null,
      isActive: true,
      createdAt: '',
      updatedAt: '',
      ...more,
    }) as Parameters<typeof firstLines>[1][number]

  test('charges the registration and what the group costs a month, as the fees say', () => {
    const fees = [
      fee({ id: '1', name: 'Tuition' }),
      fee({ id: '2', name: 'Registration', kind: 'registration', recurrence: 'once', groupId: null }),
      fee({ id: '3', groupId: 'another' }),
      fee({ id: '4', isActive: false }),
      fee({ id: '5', amount: { amountMinor: 100, currency: 'USD' } }),
      fee({ id: '6', kind: 'per_course' }),
      fee({ id: '7', name: 'Books', groupId: null, courseId: 'c', recurrence: 'per_term' }),
    ]
    const lines = firstLines(group, fees, '2026-11')
    expect(lines.map(({ id, description }) => [id, description])).toEqual([
      ['2', 'Registration'],
      ['1', 'Tuition, 2026-11'],
      ['7', 'Books'],
    ])
    expect(sumOf(lines)).toBe(300)
    const changed = lines.map((line, at) => ({ ...line, isIncluded: at > 0, amountMinor: at === 1 ? null : 250 }))
    expect([charged(changed).length, sumOf(changed)]).toEqual([1, 250])
  })

  test('is the group’s own fee where there are no others, and nothing where it costs nothing', () => {
    expect(firstLines(group, [], '2026-11')).toMatchObject([
      { description: 'Math, Math A', amountMinor: 45_000, feeScheduleId: null, isOfGroup: true },
    ])
    expect(firstLines({ ...group, feeMinor: null }, [], '2026-11')).toEqual([])
  })
})
