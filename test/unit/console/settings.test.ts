import { describe, expect, test } from 'vitest'
import { addressesIn, addressToSet, bothNames, hasPath, originOf } from '../../../src/console/screens/settings/typed.ts'

describe('e-mail addresses', () => {
  test.each([
    ['one', 'Nora@Example.org', ['nora@example.org']],
    [
      'on lines, with commas and semicolons',
      'a@x.org\nb@x.org, c@x.org; d@x.org',
      ['a@x.org', 'b@x.org', 'c@x.org', 'd@x.org'],
    ],
    ['with Arabic commas', 'a@x.org، b@x.org؛ c@x.org', ['a@x.org', 'b@x.org', 'c@x.org']],
    [
      'with names, as mail programs write them',
      'Nora Levi <nora@x.org>, "Omar" <omar@x.org>',
      ['nora@x.org', 'omar@x.org'],
    ],
    ['from a table', 'Nora\tnora@x.org\t054\nOmar\tomar@x.org\t055', ['nora@x.org', 'omar@x.org']],
    ['the same twice', 'a@x.org A@x.org', ['a@x.org']],
    ['none', 'somebody', []],
  ])('are found: %s', (_, typed, found) => expect(addressesIn(typed)).toEqual(found))
})

describe('the address of a website', () => {
  test.each([
    ['www.example.org', 'https://www.example.org'],
    [' https://Example.org/page?x=1 ', 'https://example.org'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['نور.example', 'https://xn--wgb5bg.example'],
    ['school', undefined],
    ['', undefined],
    ['two words', undefined],
  ])('%j is %s', (typed, origin) => expect(originOf(typed)).toBe(origin))

  test('is two for a browser: with and without www.', () => {
    expect(bothNames('https://example.org')).toEqual(['https://example.org', 'https://www.example.org'])
    expect(bothNames('https://www.example.org')).toEqual(['https://www.example.org', 'https://example.org'])
    expect(bothNames('http://localhost:3000')).toEqual(['http://localhost:3000'])
  })
})

test.each([
  ['https://office.example.org', false],
  ['https://office.example.org/', false],
  ['http://192.168.1.20:8080', false],
  ['https://office.example.org/institute', true],
])('an address of a server has a path: %s, %s', (typed, expected) => expect(hasPath(typed)).toBe(expected))

test.each([
  ['where it is nobody’s, the one that was opened', 'strange', 'http://10.0.0.7:8080', 'http://10.0.0.7:8080'],
  ['opened on the server itself, the one in the network', 'strange', 'http://localhost:8080', 'http://10.0.0.9:8080'],
  [
    'where it opens on the server alone, the one that was opened',
    'loopback',
    'http://10.0.0.7:8080',
    'http://10.0.0.7:8080',
  ],
  ['nothing on the server itself, where nobody has set one', 'loopback', 'http://localhost:8080', undefined],
  ['nothing where it is the server’s', 'own', 'http://10.0.0.7:8080', undefined],
  ['nothing where it is not known', 'unknown', 'http://10.0.0.7:8080', undefined],
])('people should be sent to: %s', (_, whose, opened, expected) => {
  expect(addressToSet({ url: 'http://10.0.0.1', whose, here: ['http://10.0.0.9:8080'] }, opened)).toBe(expected)
})
