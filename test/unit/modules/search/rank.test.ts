import { describe, expect, test } from 'vitest'
import { fold } from '#shared/text.ts'
import { numbersMeant } from '#modules/billing/index.ts'
import { ranksFor } from '#modules/search/rank.ts'

describe('how well a record matches', () => {
  const dana = { label: 'Dana Levi', text: 'dana levi s-000123 0501234567 dana@example.org' }

  test.each([
    ['Dana Levi', 0],
    ['S-000123', 0],
    ['dana@example.org', 0],
    ['dan', 1],
    ['dana le', 1],
    ['levi dana', 2],
    ['lev dan', 3],
    ['evi', 4],
    ['dana evi', 4],
  ])('%j is %i', (typed, rank) => expect(ranksFor(fold(typed))(dana)).toBe(rank))
})

describe('the invoice numbers that may be meant', () => {
  test('are those of all years for the last part alone', () => {
    const { exact, range } = numbersMeant('123', 2026)
    expect(exact).toHaveLength(28)
    expect([exact[0], exact.at(-1), range]).toEqual(['INV-2027-000123', 'INV-2000-000123', undefined])
  })

  test.each([
    ['INV-2026-0001', ['INV-2026-000100', 'INV-2026-000199']],
    ['inv2026', ['INV-2026-000000', 'INV-2026-999999']],
    ['2026-000123', ['INV-2026-000123', 'INV-2026-000123']],
    ['٢٠٢٦-٠٠٠١', ['INV-2026-000100', 'INV-2026-000199']],
  ])('are those that begin with %j', (typed, range) => expect(numbersMeant(typed, 2026)).toEqual({ exact: [], range }))

  test.each(['dana', 'INV', 'INV-26', '2026-0000001', "'; drop table invoice", '1234567'])('are none for %j', (typed) =>
    expect(numbersMeant(typed, 2026)).toEqual({ exact: [], range: undefined }),
  )
})
