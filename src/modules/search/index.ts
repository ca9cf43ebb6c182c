import type { Module } from '#kernel/module.ts'
import { searchEndpoints } from './endpoints.ts'

/** One search over records of other modules. It keeps no table. */
export const searchModule: Module = { name: 'search', endpoints: searchEndpoints }
