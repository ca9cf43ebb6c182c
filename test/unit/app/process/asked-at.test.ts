import { describe, expect, test } from 'vitest'
import { DEFAULTS, type Config } from '#app/config/config.ts'
import { addressAskedAt } from '#app/process/asked-at.ts'
import type { Machine } from '#app/process/own-hosts.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'

const MACHINE: Machine = {
  addresses: () => ['127.0.0.1', '192.168.1.37', 'fd00::2'],
  name: () => 'office',
  lanName: () => 'institute.local',
  formerLanNames: () => [],
  vendorName: () => 'bcdfghjkmn.lan.vendor.example',
  isInContainer: () => false,
  hasSystemd: () => true,
  resolve: async () => [],
}
/** The address is set in the configuration: no row is read. */
const NO_ROWS = {} as SystemDb

const said = (asked: string, config: Partial<Config>, machine: Partial<Machine> = {}): Promise<string> =>
  addressAskedAt({ ...DEFAULTS, ...config }, NO_ROWS, { ...MACHINE, ...machine })('tenant', { origin: asked })

const FORMER = { baseUrl: 'http://192.168.1.20:8080' }

describe('a reply says the address that was asked at, where that is surely the server’s', () => {
  test.each([
    ['its new address', 'http://192.168.1.37:8080'],
    ['its address of IPv6', 'http://[fd00::2]:8080'],
    ['its name', 'http://office:8080'],
    ['its name in the network', 'http://Office.local:8080'],
    ['the name that it gave itself there', 'http://Institute.local:8080'],
    ['the name that its vendor gave it', 'https://bcdfghjkmn.lan.vendor.example'],
    ['loopback, once the address that is set is nobody’s', 'http://localhost:8080'],
  ])('%s: %s', async (_, asked) => {
    expect(await said(asked, FORMER)).toBe(new URL(asked).origin)
  })

  test('and a name that the settings add', async () => {
    expect(await said('http://school.example:8080', { ...FORMER, otherHosts: ['school.example'] })).toBe(
      'http://school.example:8080',
    )
  })
})

describe('else it says the address that is set', () => {
  const HTTPS = { baseUrl: 'https://office.example.org' }
  test.each<[what: string, asked: string, config: Partial<Config>, machine?: Partial<Machine>]>([
    ['a forged host', 'http://evil.example', FORMER],
    ['a forged host that begins with the server’s name', 'http://office.evil.example', FORMER],
    ['an address of another machine', 'http://192.168.1.99:8080', FORMER],
    ['no host at all', 'http://', FORMER],
    ['another scheme', 'javascript://192.168.1.37/', FORMER],
    ['what a proxy that does HTTPS calls the server', 'http://127.0.0.1:8080', HTTPS],
    ['the same by the address in the network', 'http://192.168.1.37:8080', HTTPS],
    ['loopback, by which nginx asks, with a name set', 'http://127.0.0.1:8080', { baseUrl: 'http://office.lan' }],
    ['loopback, with the server’s own address set', 'http://127.0.0.1:8080', { baseUrl: 'http://192.168.1.37' }],
    ['loopback behind a trusted proxy', 'http://127.0.0.1:8080', { ...FORMER, trustedProxies: 1 }],
    ['loopback in a container', 'http://127.0.0.1:8080', FORMER, { isInContainer: () => true }],
  ])('%s: %s', async (_, asked, config, machine) => {
    expect(await said(asked, config, machine)).toBe(config.baseUrl)
  })

  test('the same host over http, where a proxy does HTTPS and does not say so', async () => {
    expect(await said('http://office.example.org', HTTPS)).toBe('https://office.example.org')
  })
})
