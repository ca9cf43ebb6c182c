import { describe, expect, test } from 'vitest'
import { ADDRESS_REFUSED, checkUrl } from '#ports/outbound/port.ts'

const cloud = { requireHttps: true, blockPrivate: true, ownAddresses: () => ['93.184.216.34', '2606:2800:220:1::'] }
const install = { requireHttps: false, blockPrivate: false }

// One address of each range; the first or last one where the boundary matters.
const PRIVATE = [
  '0.0.0.0',
  '10.255.255.255',
  '100.64.0.1',
  '127.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.19.255.255',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:8.8.8.8]',
  '[::127.0.0.1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fdff::1]',
  '[ff02::1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[2001::1]',
  '[2001:db8::1]',
]

const SPELLINGS_OF_LOOPBACK = [
  '0x7f.1',
  '0x7f000001',
  '2130706433',
  '0177.0.0.1',
  '017700000001',
  '127.1',
  '127.0.0.1.',
  '１２７.０.０.１',
  '%31%32%37.0.0.1',
  '①②⑦.0.0.1',
  'localhost',
  'localhost.',
  'LOCALHOST',
  'ｌｏｃａｌｈｏｓｔ',
  'hooks.localhost',
  'hooks.localhost.',
]

const LINK_LOCAL_AND_METADATA = [
  '169.254.169.254',
  '169.254.0.0',
  '0xa9fea9fe',
  '2852039166',
  '0251.0376.0251.0376',
  '１６９.２５４.１６９.２５４',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  '[fe80::1]',
  '[febf:ffff::1]',
  '[fd00:ec2::254]',
  '[fd20:ce::254]',
  '[::ffff:169.254.169.254]',
  '[::169.254.169.254]',
  '[::ffff:0:169.254.169.254]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::a9fe:a9fe]',
  '[64:ff9b:1:a9fe:a9:fe00::]',
  '[2002:a9fe:a9fe::1]',
  '[2001:0:a9fe:a9fe::1]',
  '[2001:0:0102:0304:0:0:5601:5601]',
]

describe('a receiver address is refused at creation', () => {
  test.each([...PRIVATE, ...SPELLINGS_OF_LOOPBACK])('in cloud mode: %s', (host) => {
    expect(checkUrl(`https://${host}/hook`, cloud)).toBe(ADDRESS_REFUSED)
    expect(checkUrl(`https://${host}:8443/hook`, cloud)).toBe(ADDRESS_REFUSED)
  })

  test.each(LINK_LOCAL_AND_METADATA)('in every mode: %s', (host) => {
    expect(checkUrl(`http://${host}/hook`, install)).toBe(ADDRESS_REFUSED)
    expect(checkUrl(`https://${host}/hook`, cloud)).toBe(ADDRESS_REFUSED)
  })

  test.each(['93.184.216.34', '[2606:2800:220:1:0:0:0:0]'])('when it is the server itself: %s', (host) => {
    expect(checkUrl(`https://${host}/`, cloud)).toBe(ADDRESS_REFUSED)
  })

  test('when it is an address of a network interface of this machine', () => {
    const policy = { requireHttps: true, blockPrivate: true }
    expect(checkUrl('https://127.0.0.1/', policy)).toBe(ADDRESS_REFUSED)
    expect(checkUrl('https://8.8.8.8/', policy)).toBeUndefined()
  })
})

describe('a receiver URL is refused at creation', () => {
  test.each(['ftp://a.example/', 'file:///etc/passwd', 'javascript:alert(1)', 'data:,x', 'ws://a.example/'])(
    'with another scheme than http and https: %s',
    (url) => {
      expect(checkUrl(url, install)).toBe('the URL must begin with http:// or https://')
    },
  )

  test('with http where https is required', () => {
    expect(checkUrl('http://a.example/', cloud)).toBe('the URL must begin with https://')
  })

  test.each(['https://user@a.example/', 'https://user:word@a.example/', 'https://a.example@127.0.0.1/'])(
    'with a user name or password: %s',
    (url) => {
      expect(checkUrl(url, install)).toBe('the URL must not hold a user name or password')
    },
  )

  test.each(['', 'a.example/hook', 'https://', 'https://a b/', 'https://999.1.1.1/', 'https://[fe80::1%25eth0]/'])(
    'when it is none: %s',
    (url) => {
      expect(checkUrl(url, install)).toMatch(/^(not a valid URL|the URL must begin with http)/)
    },
  )
})

describe('a receiver URL is accepted at creation', () => {
  test.each([
    'https://a.example/hook?x=1#y',
    'https://not-registered-yet.example:8443/',
    'https://1.1.1.1/',
    'https://[2606:4700:4700::1111]/',
    'https://localhost.example/',
    'https://مدرسة.example/',
  ])('in cloud mode: %s', (url) => {
    expect(checkUrl(url, cloud)).toBeUndefined()
  })

  test.each([
    'http://localhost:3000/',
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://192.168.1.20/',
    'http://nas.local/',
  ])('on an install also for its own network: %s', (url) => {
    expect(checkUrl(url, install)).toBeUndefined()
  })
})
