import { describe, expect, test } from 'vitest'
import { networkOf, plainAddress } from '#kernel/basics/network.ts'

describe('what limits count an address as', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['::1', '::/64'],
  ])('%s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})

describe('an address as it is kept', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['unknown', undefined],
    ['192.0.2.7, 10.0.0.1', undefined],
    ['x'.repeat(3000), undefined],
    ['', undefined],
  ])('%s is %s', (given, kept) => {
    expect(plainAddress(given)).toBe(kept)
  })
})
