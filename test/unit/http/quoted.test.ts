import { expect, test } from 'vitest'
import { quotedJson } from '#http/mcp/quoted.ts'

test.each([
  ['an override', 'a\u202eb', String.raw`"a\u202eb"`],
  [
    'isolates and embeddings',
    '\u2066\u2067\u2068\u2069\u202a\u202c',
    String.raw`"\u2066\u2067\u2068\u2069\u202a\u202c"`,
  ],
  ['marks', '\u200e\u200f\u061c', String.raw`"\u200e\u200f\u061c"`],
  ['blanks without width, and the byte order mark', '\u200b\u2060\ufeff', String.raw`"\u200b\u2060\ufeff"`],
  ['line separators and a control character', '\u2028\u2029\u0085\n', String.raw`"\u2028\u2029\u0085\n"`],
  ['tag characters', '\u{e0041}', String.raw`"\udb40\udc41"`],
])('%s cannot act on what stands beside it', (_, text, told) => {
  expect(quotedJson(text)).toBe(told)
  expect(JSON.parse(quotedJson({ text }))).toEqual({ text })
})

test('what letters need stays as it is', () => {
  for (const text of ['می\u200cخواهم', '👩\u200d👧', '❤\ufe0f', 'בִּנְיָמִין', 'مُحَمَّد', 'ש״ח "x"']) {
    expect(quotedJson(text)).toBe(JSON.stringify(text))
  }
})
