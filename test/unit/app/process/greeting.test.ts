import { describe, expect, test } from 'vitest'
import { addressesOf, greeting } from '#app/process/greeting.ts'
import { isInContainer } from '#app/process/own-hosts.ts'

const interfaces = {
  lo: [{ address: '127.0.0.1', family: 'IPv4' as const, internal: true }],
  eth0: [{ address: '172.18.0.2', family: 'IPv4' as const, internal: false }],
}
const container = { interfaces, isThere: (file: string) => file === '/.dockerenv' }
const machine = { interfaces, isThere: () => false }
const EVERYWHERE = { host: '0.0.0.0', tls: undefined }

describe('what a terminal says of where the program is reached', () => {
  test('a machine names the addresses that others of its network reach', () => {
    expect(addressesOf(EVERYWHERE, 8080, machine)).toEqual(['http://localhost:8080', 'http://172.18.0.2:8080'])
    expect(greeting(EVERYWHERE, 8080, 'TOKEN', machine)).toEqual([
      'Set the institute up in a browser, at one of these addresses:',
      '  http://localhost:8080/setup/#token=TOKEN',
      '  http://172.18.0.2:8080/setup/#token=TOKEN',
    ])
  })

  test('a container does not name its own, which nobody reaches, and says what stands in its place', () => {
    expect(addressesOf(EVERYWHERE, 8080, container)).toEqual(['http://localhost:8080'])
    const said = greeting(EVERYWHERE, 8080, 'TOKEN', container).join('\n')
    expect(said).not.toContain('172.18.0.2')
    expect(said).toContain('at this address:\n  http://localhost:8080/setup/#token=TOKEN\n')
    expect(said).toMatch(/address of the one on which the container runs/)
    expect(greeting(EVERYWHERE, 8080, undefined, container).join('\n')).toMatch(
      /the port that the container is published/,
    )
  })
})

test.each([
  ['Docker', ['/.dockerenv'], undefined, true],
  ['Podman', ['/run/.containerenv'], 'podman', true],
  ['Podman with a file system that it cannot write, which hides its file', [], 'podman', true],
  ['a machine', [], undefined, false],
  ['a machine of LXC, which has an address of its own in the network', [], 'lxc', false],
])('%s is told from a machine', (_, files, engine, isOne) => {
  expect(isInContainer((file) => files.some((one) => one === file), engine)).toBe(isOne)
})
