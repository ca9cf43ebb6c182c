import type { Module } from '#kernel/contract/module.ts'
import { personFileEndpoints, type PersonFileDeps } from './endpoints.ts'

/** What an institute keeps of one person, as a file for that person. */
export const personFileModule = (deps: PersonFileDeps): Module => ({
  name: 'person-file',
  endpoints: personFileEndpoints(deps),
})
