import { expect, test } from 'vitest'
import { checkUrl, PUBLIC_ONLY, type UrlPolicy } from '#ports/outbound/port.ts'
import { addressFault } from '../../../src/console/screens/webhooks/address-fault.ts'
import { ALL_EVENTS, SUBJECTS } from '../../../src/console/screens/webhooks/events.ts'
import { en } from '../../../src/console/words/en/index.ts'
import { EVENT_CATALOGUE } from '#kernel/contract/events.ts'

const ON_A_LAN: UrlPolicy = { blockPrivate: false, requireHttps: false }
const { addressFaults: faults } = en.webhooks

test.each([
  ['http://receiver.example.org/hook', PUBLIC_ONLY, faults.https],
  ['https://192.168.1.20/hook', PUBLIC_ONLY, faults.refused],
  ['https://localhost/hook', PUBLIC_ONLY, faults.refused],
  ['https://169.254.169.254/', ON_A_LAN, faults.refused],
  ['ftp://receiver.example.org/', ON_A_LAN, faults.scheme],
  ['https://office:secret@receiver.example.org/', PUBLIC_ONLY, faults.password],
  ['receiver.example.org', PUBLIC_ONLY, faults.other],
] as const)('what the server says of %s is put into words', (url, policy, said) => {
  const refusal = checkUrl(url, policy)
  expect(refusal).toBeDefined()
  expect(addressFault(en.webhooks, `Cannot be used: ${refusal}.`)).toBe(said)
})

test('every event that a program can be told of stands under one subject', () => {
  expect(ALL_EVENTS.toSorted()).toEqual(EVENT_CATALOGUE.map(({ type }) => type).toSorted())
  expect(SUBJECTS.flatMap(({ events }) => events).toSorted()).toEqual(ALL_EVENTS.toSorted())
  expect(SUBJECTS.map(({ subject }) => subject)).toEqual(Object.keys(en.webhooks.groups))
})
