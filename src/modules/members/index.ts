import type { Module } from '#kernel/module.ts'
import { memberTables } from './tables.ts'

export { grantsOf, type TaughtGroups } from './grants.ts'
export { MembershipSummary, membershipsOf } from './summaries.ts'
export { addMember, seedSystemRoles } from './system-roles.ts'

export const membersModule: Module = { name: 'members', tables: memberTables }
