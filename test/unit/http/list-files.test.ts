import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { day, id, Money, orNull, pageOf, ts } from '#kernel/values/schema.ts'
import { Amount, cellsOf } from '#http/list-files/cells.ts'
import { columnsOf } from '#http/list-files/columns.ts'

describe('the columns of a list', () => {
  test('are its simple fields and amounts; what people read comes first, ids last', () => {
    const reply = pageOf(
      v.object({
        id,
        name: v.string(),
        at: orNull(ts),
        on: day,
        total: Money,
        feeMinor: v.optional(v.number()),
        guardian: orNull(v.object({ phone: v.string(), userId: orNull(id) })),
        tags: v.array(v.string()),
        status: v.picklist(['active', 'withdrawn']),
        isActive: v.boolean(),
        steps: v.array(v.object({ name: v.string(), stepId: id, fee: Money })),
        details: v.record(v.string(), v.unknown()),
        studentId: id,
        branchId: orNull(id),
      }),
    )
    expect(columnsOf(reply).map(({ path, kind }) => `${path.join('.')} ${kind}`)).toEqual([
      // The name of who has the id, which the record has alone.
      'studentName text',
      'name text',
      'at instant',
      'on day',
      'total.amountMinor amount',
      'feeMinor amount',
      'guardian.phone text',
      'tags list',
      'status choice',
      'isActive boolean',
      'steps records',
      'details any',
      'total.currency text',
      'branchName text',
      'id text',
      'guardian.userId text',
      'studentId text',
      'branchId text',
    ])
    const record = {
      id: 'i',
      name: 'Dana',
      at: '2026-07-01T21:30:00.000Z',
      on: '2026-07-02',
      total: { amountMinor: -1205, currency: 'ILS' },
      guardian: null,
      tags: ['bus', 'choir'],
      status: 'withdrawn',
      isActive: true,
      steps: [
        { name: 'one', stepId: 'u', fee: { amountMinor: 5, currency: 'ILS' } },
        { name: 'two', stepId: 'u', fee: { amountMinor: 100, currency: 'ILS' } },
      ],
      details: { name: 'Dana', roles: ['a', 'b'], more: { isActive: false, none: null } },
      studentId: 's',
      branchId: null,
    }
    const place = { locale: 'he', zone: 'Asia/Jerusalem' } as const
    const nameOf = (field: string, of: string) => `${field} ${of}`
    const texts = cellsOf(record, columnsOf(reply), place, nameOf).map((cell) =>
      cell !== null && typeof cell === 'object' ? cell.text : cell,
    )
    expect(texts).toEqual([
      'studentId s',
      'Dana',
      '2026-07-02 00:30',
      '2026-07-02',
      '-12.05',
      null,
      null,
      'bus, choir',
      'עזיבה',
      'כן',
      'one 0.05; two 1.00',
      'שם: Dana; תפקידים: a, b; more: (פעיל: לא)',
      'ILS',
      null,
      'i',
      null,
      's',
      null,
    ])
  })
})

test.each([
  [0, '0.00'],
  [5, '0.05'],
  [-5, '-0.05'],
  [9_007_199_254_740_991, '90071992547409.91'],
])('an amount of %d is %s', (minor, text) => expect(new Amount(minor).text).toBe(text))
