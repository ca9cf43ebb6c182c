import type { Client } from './client.ts'
import type { TestApp } from './app.ts'
import type { TestInstitute } from './institute.ts'

/** Where an example is made: everything it refers to must be of this institute and, where records have one, this branch. */
export interface World {
  app: TestApp
  institute: TestInstitute
  /** The owner of the institute. */
  owner: Client
  branchId: string
  /** A number that no other world has, for names and phones that must be unique. */
  serial: number
}

/** One request that succeeds. */
export interface Example {
  params?: Record<string, string>
  /** With its question mark. */
  query?: string
  body?: unknown
  /** Who sends it, where the owner cannot: a publishable key, somebody without a credential. */
  as?: Client
  headers?: Record<string, string>
}

export interface ExampleMaker {
  make(world: World): Promise<Example>
  /** Why a caller of another branch may still reach this: the records have no branch (courses, settings, …). */
  branchless?: string
}

/** By the endpoint's id; the walk over the declarations fails when one is missing. */
export type Examples = Record<string, ((world: World) => Promise<Example>) | ExampleMaker>
