import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync, lstatSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { withSettings, writeSettings } from '#app/config/write-settings.ts'

test.each([
  ['', 'A=1\n'],
  ['# of the office\nB=2\n', '# of the office\nB=2\nA=1\n'],
  ['B=2', 'B=2\nA=1\n'],
  ['A=0\nB=2\n', 'A=1\nB=2\n'],
  ['#A=0\nAB=2\n', '#A=0\nAB=2\nA=1\n'],
  // Of two lines the last counts, and still does.
  ['A=0\n  A = "9"\nB=2\n', 'A=0\nA=1\nB=2\n'],
])('a setting in %j makes it %j', (before, after) => {
  expect(withSettings(before, { A: '1' })).toBe(after)
})

test('a file that others may read is theirs no more, and a link stays one', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'institute-conf-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const real = path.join(folder, 'real.conf')
  writeFileSync(real, 'B=2\n', { mode: 0o644 })
  symlinkSync(real, path.join(folder, 'institute.conf'))
  writeSettings(folder, { A: '1' })
  expect(readFileSync(real, 'utf8')).toBe('B=2\nA=1\n')
  expect(statSync(real).mode & 0o777).toBe(0o600)
  expect(lstatSync(path.join(folder, 'institute.conf')).isSymbolicLink()).toBe(true)
})
