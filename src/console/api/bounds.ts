// What the API takes in each field of a form, made from its document by `npm test -- -u`.

/** What can be checked of a field before it is sent. Lengths are in letters, without the spaces around them. */
export interface Bound {
  isRequired?: boolean
  minLength?: number
  maxLength?: number
  min?: number
  max?: number
  isWhole?: boolean
  isEmail?: boolean
}

/** By the schemas that forms send, and their fields. */
export const BOUNDS = {
  NewFeeSchedule: {
    name: { isRequired: true, maxLength: 150 },
    kind: { isRequired: true },
    amountMinor: { isRequired: true, min: 0, max: 1000000000000, isWhole: true },
    currency: { isRequired: true },
    recurrence: { isRequired: true },
    dueDay: { min: 1, max: 31, isWhole: true },
  },
  NewGroup: {
    courseId: { isRequired: true },
    branchId: { isRequired: true },
    name: { isRequired: true, maxLength: 150 },
    room: { maxLength: 100 },
    capacity: { min: 1, max: 100000, isWhole: true },
    feeMinor: { min: 0, max: 1000000000000, isWhole: true },
  },
  NewLead: {
    firstName: { isRequired: true, maxLength: 100 },
    lastName: { isRequired: true, maxLength: 100 },
    phone: { isRequired: true, maxLength: 50 },
    courseInterest: { maxLength: 200 },
    message: { maxLength: 2000 },
    note: { maxLength: 5000 },
  },
} as const satisfies Record<string, Record<string, Bound>>
