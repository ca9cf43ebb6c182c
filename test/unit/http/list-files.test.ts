import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { day, id, Money, orNull, pageOf, ts } from '#kernel/schema.ts'
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
        steps: v.array(v.object({ name: v.string() })),
      }),
    )
    expect(columnsOf(reply).map(({ path, kind }) => `${path.join('.')} ${kind}`)).toEqual([
      'name text',
      'at instant',
      'on day',
      'total.amountMinor amount',
      'feeMinor amount',
      'guardian.phone text',
      'tags list',
      'steps json',
      'total.currency text',
      'id text',
      'guardian.userId text',
    ])
    const record = {
      id: 'i',
      name: 'Dana',
      at: '2026-07-01T21:30:00.000Z',
      on: '2026-07-02',
      total: { amountMinor: -1205, currency: 'ILS' },
      guardian: null,
      tags: ['bus', 'choir'],
      steps: [{ name: 'one' }],
    }
    const texts = cellsOf(record, columnsOf(reply), 'Asia/Jerusalem').map((cell) =>
      cell !== null && typeof cell === 'object' ? cell.text : cell,
    )
    expect(texts).toEqual([
      'Dana',
      '2026-07-02 00:30',
      '2026-07-02',
      '-12.05',
      null,
      null,
      'bus, choir',
      '[{"name":"one"}]',
      'ILS',
      'i',
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
