import type { Credential } from '#kernel/contract/credential.ts'

const WHY = 'It belongs to the server on which it is entered, and the vendor’s commands decide what it is good for.'

export const LICENSE_TOKEN: Credential = {
  name: 'license-token',
  of: 'institute',
  opens: 'A licence on an install, until it expires.',
  lasting: true,
  columns: ['license.token'],
  purposes: ['license-token'],
  ends: [],
  why: WHY,
}

export const UNLOCK_TOKEN: Credential = {
  name: 'unlock-token',
  of: 'institute',
  opens: 'Unlocks an install without a network, once, for a week.',
  lasting: true,
  ends: [],
  why: WHY,
}

export const ISSUER_CREDENTIALS: readonly Credential[] = [LICENSE_TOKEN, UNLOCK_TOKEN]
