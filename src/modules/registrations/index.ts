import type { Module } from '#kernel/contract/module.ts'
import type { FindUnreached } from '#runtime/queue/reached.ts'
import { registrationEndpoints } from './endpoints.ts'

/** What a desk does when somebody comes: a family, its places in groups and its first invoice, in one request. */
export const registrationsModule = (findUnreached: FindUnreached): Module => ({
  name: 'registrations',
  tags: { registrations: 'Families who come, with their groups and first invoices.' },
  endpoints: registrationEndpoints(findUnreached),
})
