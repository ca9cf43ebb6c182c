import type { Access } from '#kernel/contract/access.ts'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import type { FeatureFlag } from '#kernel/rights/features.ts'

/**
 * Every operation of the contract under /api/v1, by its area: method, path, success status, who may call (see Access),
 * and the feature that it needs.
 *
 * Where the contract names no permission, it is that of the record: `.read` to read, `.write` to change. Operations
 * that everybody has for themselves, under /me and for preferences, are `tenant` where they need an active institute,
 * else `user`.
 */
export type Row = readonly [
  method: Endpoint['method'],
  path: string,
  status: 200 | 201 | 202 | 204,
  access: Access,
  flag?: FeatureFlag,
]
