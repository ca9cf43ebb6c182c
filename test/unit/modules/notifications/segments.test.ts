import { expect, test } from 'vitest'
import { segmentsOf } from '#modules/notifications/outbox/segments.ts'

test.each<[what: string, text: string, parts: number]>([
  ['a letter', 'a', 1],
  ['160 letters of GSM 7-bit', 'a'.repeat(160), 1],
  ['161 of them', 'a'.repeat(161), 2],
  ['306 of them', 'a'.repeat(306), 2],
  ['307 of them', 'a'.repeat(307), 3],
  ['80 that take the room of two', '€'.repeat(80), 1],
  ['81 of them', '€'.repeat(81), 2],
  // 152 and the room of one: the next part has it whole.
  ['one of them at the end of a part', `${'a'.repeat(152)}€${'a'.repeat(151)}`, 2],
  ['the same with a letter more', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 3],
  ['lines and signs of GSM 7-bit', `Hello @£$¥èé\n${'Ä'.repeat(147)}`, 1],
  ['70 letters of Hebrew', 'א'.repeat(70), 1],
  ['71 of them', 'א'.repeat(71), 2],
  ['134 of them', 'א'.repeat(134), 2],
  ['135 of them', 'א'.repeat(135), 3],
  ['one letter of Arabic among 69 of Latin', `${'a'.repeat(69)}ع`, 1],
  ['one letter of Arabic among 70 of Latin', `${'a'.repeat(70)}ع`, 2],
  ['35 pictures, of two units each', '😀'.repeat(35), 1],
  ['36 of them', '😀'.repeat(36), 2],
  // 67 is odd: no picture is torn in two.
  ['67 of them, 33 in a part', '😀'.repeat(67), 3],
  ['what isolates directions', `${'a'.repeat(69)}\u2068b\u2069`, 2],
])('%s', (_, text, parts) => {
  expect(segmentsOf(text)).toBe(parts)
})
