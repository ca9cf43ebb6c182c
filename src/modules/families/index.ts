import type { Module } from '#kernel/module.ts'
import { familyEndpoints } from './endpoints.ts'

export const familiesModule: Module = {
  name: 'families',
  endpoints: familyEndpoints,
}
