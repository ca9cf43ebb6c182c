import * as v from 'valibot'
import { expect, test } from 'vitest'
import { change } from '#kernel/contract/endpoint.ts'
import { failure } from '#kernel/values/errors.ts'
import { watchExchanges } from '#kit/exchanges.ts'

const endpoint = change({
  id: 'things.retire',
  method: 'POST',
  path: '/things/{id}/retire',
  summary: 'Retire a thing',
  access: 'courses.write',
  reply: v.object({ name: v.string(), retiredAt: v.nullable(v.string()) }),
  handle: async () => ({ name: 'x', retiredAt: null }),
})

test('a refusal that an endpoint does not declare names the place where it is missing', () => {
  const error = failure('CONFLICT', 'already_retired', 'This thing is retired already.')()
  expect(() => watchExchanges().observe({ endpoint, status: 409, reply: undefined, error })).toThrow(
    'things.retire refused with CONFLICT (already_retired), which is missing in `fails` of its declaration',
  )
})

test('a reply that lacks a field of its schema names both', () => {
  expect(() => watchExchanges().observe({ endpoint, status: 200, reply: { name: 'x' }, error: undefined })).toThrow(
    /^things\.retire answered what its reply’s schema does not take: .*retiredAt/,
  )
})
