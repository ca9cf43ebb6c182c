import type { Module } from '#kernel/contract/module.ts'
import { closureTables } from './tables.ts'

/** The days on which the institute, or one of its branches, is closed. */
export const closuresModule: Module = {
  name: 'closures',
  tables: closureTables,
}
