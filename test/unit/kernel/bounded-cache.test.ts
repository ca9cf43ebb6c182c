import { expect, test } from 'vitest'
import { BoundedCache, BoundedCaches } from '#kernel/basics/bounded-cache.ts'

test('a value is made once per key, until newer ones evict it', () => {
  const made: string[] = []
  const kept = new BoundedCache<string, string>(2)
  const get = (key: string) =>
    kept.get(key, () => {
      made.push(key)
      return `of ${key}`
    })
  expect([get('a'), get('a'), get('b'), get('a')]).toEqual(['of a', 'of a', 'of b', 'of a'])
  expect(made).toEqual(['a', 'b'])
  get('c')
  expect(kept.find('a')).toBeUndefined()
  expect(kept.find('b')).toBe('of b')
  expect(get('a')).toBe('of a')
  expect(made).toEqual(['a', 'b', 'c', 'a'])
})

test('each owner has values of its own', () => {
  const values = new BoundedCaches<object, string, string>(2)
  const [one, other] = [{}, {}]
  values.of(one).set('a', 'x')
  expect([values.of(one).find('a'), values.of(other).find('a')]).toEqual(['x', undefined])
})
