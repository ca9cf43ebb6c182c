import type { Credential } from '#kernel/contract/credential.ts'

export const CAPTCHA_SECRET: Credential = {
  name: 'captcha-secret',
  of: 'institute',
  opens: 'The institute’s account at the provider of its captcha. It is never shown again.',
  lasting: true,
  purposes: ['captcha-secret'],
  ends: [],
  why: 'It opens nothing here: the institute was given it by the provider.',
}
