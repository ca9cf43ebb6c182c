import { expect, test } from 'vitest'
import { guardedAddress } from '#ports/outbound/guarded.ts'

const cloud = { blockPrivate: true, ownAddresses: () => ['203.0.114.9'] }
const resolvingTo =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

test('a connection that is not HTTP goes to a public address of its host', async () => {
  expect(await guardedAddress(cloud, resolvingTo('198.41.0.4', '2001:503:ba3e::2:30'))('mail.example')).toBe(
    '198.41.0.4',
  )
  expect(await guardedAddress(cloud)('198.41.0.4')).toBe('198.41.0.4')
})

test.each([
  ['a private address', 'mail.example', ['10.0.0.1']],
  ['one private address among others', 'mail.example', ['198.41.0.4', '127.0.0.1']],
  ['the address of this server', 'mail.example', ['203.0.114.9']],
  ['a literal private address', '192.168.1.1', []],
])('%s is refused', async (_, host, addresses) => {
  await expect(guardedAddress(cloud, resolvingTo(...addresses))(host)).rejects.toThrow('not allowed')
})

test('a name without an address is refused, and so is the address of a cloud’s credentials anywhere', async () => {
  await expect(guardedAddress(cloud, resolvingTo())('mail.example')).rejects.toThrow('could not be resolved')
  await expect(guardedAddress({ blockPrivate: false })('169.254.169.254')).rejects.toThrow('not allowed')
})
