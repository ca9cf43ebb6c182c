import { VersionConflict } from '#kernel/errors.ts'

/** Optimistic locking (decisions 1.6). @throws VERSION_CONFLICT when `expected` was sent and is not `current`. */
export const checkVersion = (expected: number | undefined, current: number): void => {
  if (expected !== undefined && expected !== current) throw VersionConflict({ expected, current })
}
