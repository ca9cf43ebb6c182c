import fc from 'fast-check'

/** What may happen to the money of a family; `nth` picks of what was made, `who` the student. */

const anAmount = fc.integer({ min: 1, max: 1000 })
const nth = fc.nat(20)
export const act = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('invoice' as const),
      who: fc.nat(2),
      amount: anAmount,
      off: fc.oneof(fc.constant(0), anAmount),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('run' as const), month: fc.nat(2), isVoided: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('void' as const), nth }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      who: fc.nat(2),
      share: fc.integer({ min: 1, max: 3 }),
      ahead: fc.oneof(fc.constant(0), anAmount),
      byFather: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('ahead' as const), who: fc.nat(2), amount: anAmount }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('apply' as const), who: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reverse' as const), nth }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reverse-one' as const), nth }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('credit-note' as const), nth, share: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refund' as const), who: fc.nat(2), amount: anAmount }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('setting' as const), isOn: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('cheque' as const),
      who: fc.nat(2),
      share: fc.integer({ min: 1, max: 3 }),
      ahead: fc.oneof(fc.constant(0), anAmount),
      days: fc.nat(3),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('day' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('bounce' as const), nth }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('give-back' as const), nth }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('replace' as const), nth }) },
)
export type Act = typeof act extends fc.Arbitrary<infer T> ? T : never
