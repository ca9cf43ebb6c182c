import { expect, test } from 'vitest'
import { bodyOf, fieldOf, typedFrom } from '../../../src/console/screens/register/typed.ts'

const begun = typedFrom({ locale: 'ar', branchId: 'b', mayHaveGuardian: true })
const group = { id: 'g', name: 'Math A' } as NonNullable<typeof begun.group>
const plain = { lead: undefined, isInvoiced: false }

test('what is empty is left out, and what is chosen is sent', () => {
  expect(bodyOf(begun, plain)).toEqual({
    guardian: { preferredLocale: 'ar' },
    students: [{ branchId: 'b' }],
    invoice: 'none',
  })
  const student = { ...begun.student, firstName: 'Rami', phone: '  ', birthDate: '2015-04-03' }
  const typed = { ...begun, student, relationship: 'mother' as const, isWithoutGuardian: true, group }
  expect(bodyOf(typed, { ...plain, isInvoiced: true })).toEqual({
    guardian: null,
    relationship: 'mother',
    students: [{ firstName: 'Rami', birthDate: '2015-04-03', branchId: 'b', groups: [{ groupId: 'g' }] }],
    invoice: 'issue',
  })
})

test('a guardian who is known is named by id, and whom an enquiry names is left to it', () => {
  const known = { id: 'm', name: 'Hala Zaher', phone: '+972547654321' }
  expect(bodyOf({ ...begun, known }, plain).guardian).toEqual({ id: 'm' })
  const lead = { id: 'l' } as NonNullable<Parameters<typeof bodyOf>[1]['lead']>
  const body = bodyOf({ ...begun, known: { ...known, id: null } }, { ...plain, lead })
  expect(body).not.toHaveProperty('guardian')
  expect(body.leadId).toBe('l')
})

test('what was emptied of an enquiry’s person is not taken from the enquiry', () => {
  const lead = { id: 'l', firstName: 'Nada', lastName: 'Bishara', phone: '+972549990002' } as NonNullable<
    Parameters<typeof bodyOf>[1]['lead']
  >
  const asked = typedFrom({ lead, locale: 'ar', branchId: null, mayHaveGuardian: true })
  expect(bodyOf(asked, { ...plain, lead }).students[0]).toMatchObject({ firstName: 'Nada', phone: '+972549990002' })
  const emptied = { ...asked, student: { ...asked.student, firstName: ' ', phone: '' } }
  expect(bodyOf(emptied, { ...plain, lead }).students[0]).toMatchObject({ firstName: ' ', phone: null })
})

test('lines are sent once they were changed, without those that are not charged', () => {
  const fee = { description: 'Fee', currency: 'ILS', feeScheduleId: 'f', groupId: 'g', siblingPlace: 2 } as const
  const line = { ...fee, discountMinor: 4500, isIncluded: true }
  const lines = [
    { ...line, amountMinor: 45_000 },
    { ...line, amountMinor: 1000 },
    { ...line, amountMinor: null },
    { ...line, amountMinor: 100, isIncluded: false },
  ]
  expect(bodyOf({ ...begun, group, lines }, plain).students[0]?.lines).toEqual([
    { ...fee, unitAmountMinor: 45_000, discountMinor: 4500 },
    // Never more than the line.
    { ...fee, unitAmountMinor: 1000, discountMinor: 1000 },
  ])
  expect(bodyOf({ ...begun, group, lines: [] }, plain).students[0]?.lines).toEqual([])
  expect(bodyOf({ ...begun, group }, plain).students[0]).not.toHaveProperty('lines')
})

test('what the server says of a path stands at its field', () => {
  expect(fieldOf(['guardian', 'phone'])).toBe('guardian.phone')
  expect(fieldOf(['relationship'])).toBe('relationship')
  expect(fieldOf(['students', '0', 'birthDate'])).toBe('student.birthDate')
  expect(fieldOf(['students', '0', 'lines', '0', 'unitAmountMinor'])).toBeUndefined()
  expect(fieldOf(['students', '0', 'branchId'])).toBeUndefined()
})
