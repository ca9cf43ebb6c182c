import type { Module } from '#kernel/contract/module.ts'
import { registrationEndpoints } from './endpoints.ts'

/** What a desk does when somebody comes: a family, its places in groups and its first invoice, in one request. */
export const registrationsModule: Module = {
  name: 'registrations',
  tags: { registrations: 'Families who come, with their groups and first invoices.' },
  endpoints: registrationEndpoints,
}
