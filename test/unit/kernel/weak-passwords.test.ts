import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { weaknessOf } from '#kernel/who/weak-passwords.ts'

const OWN = ['Owner@example.org', 'Noor', 'Haddad', 'al-noor', 'Al-Noor Institute', 'معهد النور', 'نور حدّاد']

describe('a new password', () => {
  test.each([
    [
      'common',
      ['qwertyuiop', 'password123', 'Password2024!', 'P@ssw0rd123', 'iloveyou123', 'letmein2024', '1q2w3e4r5t6y'],
    ],
    ['common', ['ضصثقفغعهخح', 'שדגכעיחלך', 'حشسسصخقي123']],
    [
      'repetitive',
      ['12345678901', '0987654321', 'aaaaaaaaaaaa', 'abcabcabcabc', 'abcdefghijkl', 'جججججججججج', 'אבגדהוזחטי'],
    ],
    [
      'related',
      ['owner@example.org', 'OWNER@example.org1', 'NoorHaddad2024', 'haddad1985', 'n00rh4dd4d99', 'daddahroon'],
    ],
    ['related', ['al-noor2024', 'alnoorinstitute', 'نورحداد2024', 'معهدالنور1']],
  ] as const)('that is %s is refused', (weakness, passwords) => {
    expect(passwords.map((password) => [password, weaknessOf(password, OWN)])).toEqual(
      passwords.map((password) => [password, weakness]),
    )
  })

  test.each([
    'olive tree by the gate',
    'correct horse battery',
    'noor likes olives and figs',
    'kX9!mQ2#vT7z',
    'شجرة الزيتون عند الباب',
    'עץ הזית ליד השער',
  ])('%s is taken', (password) => {
    expect(weaknessOf(password, OWN)).toBeNull()
  })

  test('of any length takes little time to look at', () => {
    weaknessOf('password', OWN)
    for (const part of ['P@ssw0rd$1l0v3y0u', 'a4@b8c(e3g69i1!|l1o0s$5t+7x%z2', 'lkjhgfdsa3$']) {
      // Of the processor: other work on the machine does not count.
      const before = process.cpuUsage()
      weaknessOf(part.repeat(1000 / part.length), OWN)
      expect(process.cpuUsage(before).user / 1000).toBeLessThan(200)
    }
  })
})
