import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { emptyable, emptyableProse, httpUrl, name, prose, text } from '#kernel/values/schema.ts'

const passes = (schema: v.GenericSchema, value: string): boolean => v.safeParse(schema, value).success
const results = (value: string) => ({
  line: [text(50), emptyable(50), name(50)].map((schema) => passes(schema, value)),
  prose: [prose(50), emptyableProse(50)].map((schema) => passes(schema, value)),
})
const everywhere = (allowed: boolean) => ({ line: [allowed, allowed, allowed], prose: [allowed, allowed] })
const inProseOnly = { line: [false, false, false], prose: [true, true] }

describe('text', () => {
  test.each([
    ['a zero-width non-joiner in a Persian name', 'علی\u200cرضا'],
    ['a joiner between letters', 'a\u200db'],
    ['a family of joined pictures', '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}'],
    ['a direction mark', 'Noor\u200f'],
    ['a letter that this Unicode does not know yet', '\u{1acff}'],
    ['a combining mark alone', '\u0301'],
    ['blanks around, which are trimmed', ' \tDana\n '],
  ])('takes %s', (_, value) => {
    expect(results(value)).toEqual(everywhere(true))
  })

  test.each([
    ['ESC', 'a\u001b[31mb'],
    ['NUL', 'a\0b'],
    ['a bell', 'a\u0007b'],
    ['DEL', 'a\u007fb'],
    ['a C1 control', 'a\u0085b'],
    ['a carriage return alone', 'a\rb'],
    ['zero-width blanks alone', '\u200b\u200c\u2060'],
    ['direction marks alone', '\u200e\u202e'],
    ['Hangul fillers alone', '\u3164\u115f'],
    ['a blank Braille pattern alone', '\u2800'],
    ['variation selectors alone', '\ufe0f'],
  ])('refuses %s', (_, value) => {
    expect(results(value)).toEqual(everywhere(false))
  })

  test.each([
    ['a line feed', 'a\nb'],
    ['the line break of Windows', 'a\r\nb'],
    ['a tab', 'a\tb'],
    ['a line separator', 'a\u2028b'],
    ['a paragraph separator', 'a\u2029b'],
  ])('of several lines takes %s, of one line does not', (_, value) => {
    expect(results(value)).toEqual(inProseOnly)
  })

  test('that is empty is nothing where nothing may stand', () => {
    for (const schema of [emptyable(5), emptyableProse(5)]) expect(v.parse(schema, ' \n ')).toBeNull()
    for (const schema of [text(5), prose(5), name(5)]) expect(passes(schema, ' \n ')).toBe(false)
  })

  test('is measured after trimming', () => {
    for (const schema of [text(3), prose(3), emptyable(3), name(3)]) {
      expect(v.parse(schema, ' abc ')).toBe('abc')
      expect(passes(schema, 'abcd')).toBe(false)
    }
  })
})

describe('a name', () => {
  test.each([
    'http://evil.example',
    'HTTPS:evil.example',
    'See www.evil.example',
    'x://y',
    'ｈｔｔｐ：／／evil',
    'Ｗｗｗ.evil',
  ])('is not the address of a page: %s', (value) => {
    expect(passes(name(100), value)).toBe(false)
    expect(passes(text(100), value)).toBe(true)
  })

  test.each(['St. Mary', 'O.Nasser', 'Al-Noor.org', 'Institute: East', 'Awwwards', '1/2 School'])(
    'may be %s',
    (value) => {
      expect(passes(name(100), value)).toBe(true)
    },
  )
})

test('a URL is what was checked: no line breaks that parsers drop', () => {
  expect(passes(httpUrl, 'https://exa\nmple.org')).toBe(false)
})
