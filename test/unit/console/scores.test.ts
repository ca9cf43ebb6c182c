import { expect, test } from 'vitest'
import { readPasted } from '../../../src/console/screens/gradebook/pasted.ts'
import { ABSENT, readScore, type Line } from '../../../src/console/screens/gradebook/scores.ts'

const NOTHING = { score: null, isAbsent: false, remarks: null, updatedAt: null }
const lines: Line[] = ['Dana Levi', 'عبد الرحمن ناصر', 'Noa Bar-Or', 'Dana Cohen'].map((name, at) => ({
  studentId: `s${at}`,
  name,
  stands: NOTHING,
}))

test.each([
  ['98.5', 98.5],
  ['98,5', 98.5],
  ['\u0669\u0668\u066b\u0665', 98.5],
  [' 0 ', 0],
  ['100', 100],
])('%s is a score', (typed, score) => {
  expect(readScore(typed, 100)).toEqual({ score, isAbsent: false })
})

test.each(['100.5', 'abc', '1,234', '12/20', '1.2.3', '-5'])('%s is none of 100', (typed) => {
  expect(readScore(typed, 100)).toBe('wrong')
})

test('nothing is no result, and a dash of any keyboard or the word for it an absence', () => {
  expect(readScore('  ', 100)).toEqual({ score: null, isAbsent: false })
  for (const absence of [ABSENT, '\u2013', '\u2014', '\u05be', 'נעדר', 'נעדרה', 'غائبة', 'Absent']) {
    expect(readScore(absence, 100)).toEqual({ score: null, isAbsent: true })
  }
})

test('a column is pasted from the student on whose field it is dropped; an empty line is nobody’s', () => {
  const { scores, unknown } = readPasted('Mark\r\n12\r\n\r\n-\r\n15\r\n', lines, 1)
  expect([...scores]).toEqual([
    ['s1', '12'],
    ['s3', '-'],
  ])
  expect(unknown).toEqual(['15'])
})

test('names with scores find their students in whatever order and spelling; the others are told', () => {
  const text =
    'No\tName\tMark\n1\tBar Or Noa\t17\n2\tعبدالرحمن ناصر\t18,5\n3\tDana\t9\n4\tDana Levi\t11\n5\tDana Levi\t12\n'
  const { scores, unknown } = readPasted(text, lines, 0)
  expect([...scores]).toEqual([
    ['s2', '17'],
    ['s1', '18,5'],
    ['s0', '11'],
  ])
  expect(unknown).toEqual(['3 Dana 9', '5 Dana Levi 12'])
})

test('whoever was absent is so by the word too, and what nobody can read of a student is told', () => {
  const { scores, unknown } = readPasted(
    'שם\tציון\nDana Levi\tנעדרה\nDana Cohen\tmedical note\nBar Or Noa\t17\n',
    lines,
    0,
  )
  expect([...scores]).toEqual([
    ['s0', 'נעדרה'],
    ['s2', '17'],
  ])
  expect(unknown).toEqual(['Dana Cohen medical note'])
})

test('lines of a message are names with scores as well', () => {
  const text =
    'Marks of Tuesday:\n1. Dana Levi 98,5\nNoa Bar Or - 17\nعبدالرحمن ناصر: غائب\nDana Cohen – \u0661\u0662\nRon Mizrahi 80\n'
  const { scores, unknown } = readPasted(text, lines, 0)
  expect([...scores]).toEqual([
    ['s0', '98,5'],
    ['s2', '17'],
    ['s1', 'غائب'],
    ['s3', '\u0661\u0662'],
  ])
  expect(unknown).toEqual(['Ron Mizrahi 80'])
})

test('a head that ends in a number stays the head of its column', () => {
  expect([...readPasted('Quiz 2\n12\n15\n', lines, 0).scores]).toEqual([
    ['s0', '12'],
    ['s1', '15'],
  ])
})
