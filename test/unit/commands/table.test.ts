import { expect, test } from 'vitest'
import { printable, table } from '../../../src/commands/table.ts'

test('columns stand below each other, whatever the letters', () => {
  const rows = [
    ['NAME', 'STATUS'],
    ['مُحَمَّد', 'active'],
    ['שָׁלוֹם', 'active'],
    ['Zoë', ''],
  ]
  expect(table(rows)).toEqual(['NAME  STATUS', 'مُحَمَّد  active', 'שָׁלוֹם  active', 'Zoë'])
})

test('other people’s words neither move the cursor nor start a line nor turn what follows round', () => {
  expect(printable('a\u001B[2Jb\nc\u202Ed\u2028e\u0007')).toBe('a[2Jbcde')
  expect(table([['x\ny', 'z']])).toEqual(['xy  z'])
})
