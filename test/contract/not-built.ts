import type { Area } from './operations.ts'

// What the contract has and the program does not have yet. Remove what you build; when nothing is left, delete this
// file.

/** Operations under /api/v1. */
export const OPERATIONS_NOT_BUILT: Readonly<Partial<Record<Area, readonly string[]>>> = {}

/** Addresses at the server's root. */
export const ROOT_NOT_BUILT: readonly string[] = []

/** Events that nothing records. */
export const EVENTS_NOT_RECORDED: readonly string[] = []
