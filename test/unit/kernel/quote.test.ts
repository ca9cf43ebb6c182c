import { describe, expect, test } from 'vitest'
import { secretForms } from '#kit/secret-forms.ts'
import { quoted } from '#kernel/basics/quote.ts'

const USER = 'office@institute.example'

describe('the words of another server', () => {
  test.each(['planted-secret/1', 'p@ss w+rd&', 'سرّ المعهد', 'hunter2'])('do not hold the secret %j', (secret) => {
    for (const form of secretForms(USER, secret)) {
      const said = quoted(`535 <${form}> is wrong`, [secret, USER], 300)
      // Of what a secret was joined with, a few bytes may be left.
      expect(said, form).toMatch(/^535 <(?:[0-9a-f:]{0,8}\*\*\*)+[0-9a-f: ]{0,8}> is wrong$/i)
    }
  })

  test.each(['k', 'ab', 'abc'])('do not hold a secret as short as %j, and keep their own', (secret) => {
    const forms = [Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex'), `%${secret}`]
    expect(quoted(`535 <${forms.join('> <')}> 2561b2c3`, [secret], 300)).toBe('535 <***> <***> <%***> 2561b2c3')
  })

  test.each(['ab', 'abc', 'ب'])('do not hold the short secret %j in what somebody else encoded', (secret) => {
    const text = `unknown: me ${secret}!`
    const forms = [Buffer.from(text).toString('base64'), Buffer.from(text).toString('hex')]
    expect(quoted(`535 <${forms.join('> <')}>`, [secret], 300)).toBe('535 <***> <***>')
  })

  test('are otherwise as they were, on one line and not too long', () => {
    expect(quoted('250 Taken\r\n  as 8F3A-26, thank you', ['hunter2', USER], 300)).toBe(
      '250 Taken as 8F3A-26, thank you',
    )
    expect(quoted('no '.repeat(200), [], 10)).toBe('no no no n')
    expect(quoted('nothing is secret', [''], 300)).toBe('nothing is secret')
  })
})
