import { describe, expect, test } from 'vitest'
import { nextName } from '#modules/rollover/next-name.ts'

const NEXT = { startsOn: '2027-09-01', endsOn: '2028-06-30' }

describe('the name of a group in a new year', () => {
  test.each([
    ['Mathematics 2026/27', 'Mathematics 2027/28'],
    ['Mathematics 2026-2027 B', 'Mathematics 2027-2028 B'],
    ['2026 – 2027 English', '2027 – 2028 English'],
    ['English 26/27', 'English 27/28'],
    ['English 2026', 'English 2027'],
    ['אנגלית תשפ״ז', 'אנגלית תשפ״ח'],
    ['אנגלית תשפ"ז ב', 'אנגלית תשפ"ח ב'],
    ['אנגלית תשפז', 'אנגלית תשפח'],
    ['الرياضيات ٢٠٢٦/٢٧', 'الرياضيات ٢٠٢٧/٢٨'],
    ['الرياضيات 2026/2027', 'الرياضيات 2027/2028'],
  ])('moves its year on: %s', (name, next) => expect(nextName(name, NEXT)).toBe(next))

  test.each([
    ['English A', 'English A 2027/28'],
    ['Room 2050', 'Room 2050 2027/28'],
    // The word for nine, and a date.
    ['תשע קבוצות', 'תשע קבוצות 2027/28'],
    ['Course 11/12', 'Course 11/12 2027/28'],
  ])('gets the new one where it has none: %s', (name, next) => expect(nextName(name, NEXT)).toBe(next))

  test('goes by the school year, which a spring belongs to that lies in the next', () => {
    const spring = { startsOn: '2028-02-01', endsOn: '2028-06-30' }
    expect(nextName('English 2026/27', spring)).toBe('English 2027/28')
    expect(nextName('אנגלית תשפ״ז', spring)).toBe('אנגלית תשפ״ח')
    expect(nextName('English', spring)).toBe('English 2028')
  })

  test('writes Hebrew years as people do', () => {
    const of = (year: number) =>
      nextName('א תשפ״ז', { startsOn: `${year}-09-01`, endsOn: `${year + 1}-06-30` }).replace('א ', '')
    expect([2027, 2028, 2029].map(of)).toEqual(['תשפ״ח', 'תשפ״ט', 'תש״צ'])
  })

  test('stays as it is where a year would make it too long', () => {
    const long = 'x'.repeat(148)
    expect(nextName(long, NEXT)).toBe(long)
  })
})
