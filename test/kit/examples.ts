import { readdirSync } from 'node:fs'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import type { Client, Reply } from './client.ts'
import type { TestApp } from './app.ts'
import type { TestInstitute } from './institute.ts'

/**
 * The institute in which an example is made; all records that it refers to must belong to it and, where they have one,
 * to this branch.
 */
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
  /** Includes the question mark. */
  query?: string
  body?: unknown
  /** A body that is not JSON; the headers name its type. */
  raw?: string | Buffer
  /** Who sends it, when the owner cannot: a publishable key, or a client without a credential. */
  as?: Client
  headers?: Record<string, string>
}

export interface ExampleMaker {
  make(world: World): Promise<Example>
  /** Why a caller of another branch may reach it too: its records have no branch (courses, settings, …). */
  branchless?: string
}

/** By the endpoint's id; test/api/every-endpoint/walk.test.ts fails when one is missing. */
export type Examples = Record<string, ((world: World) => Promise<Example>) | ExampleMaker>

const FOLDER = new URL('../api/examples/', import.meta.url)

/** Loads every example of test/api/examples. */
export const loadExamples = async (): Promise<(endpoint: Pick<Endpoint, 'id'>) => ExampleMaker> => {
  const examples: Examples = {}
  for (const file of readdirSync(FOLDER)) {
    const module = (await import(/* @vite-ignore */ new URL(file, FOLDER).href)) as Record<string, unknown>
    for (const [name, value] of Object.entries(module)) if (name.endsWith('Examples')) Object.assign(examples, value)
  }
  return ({ id }) => {
    const example = examples[id]
    if (!example) throw new Error(`There is no example of ${id} under test/api/examples.`)
    return typeof example === 'function' ? { make: example } : example
  }
}

let worlds = 0

export const worldOf = (app: TestApp, institute: TestInstitute, branchId = institute.branchId): World => {
  worlds += 1
  return { app, institute, owner: institute.owner, branchId, serial: worlds }
}

export const pathOf = (endpoint: Pick<Endpoint, 'path'>, { params = {}, query = '' }: Example): string =>
  endpoint.path.replaceAll(/\{(\w+)\*?\}/g, (_, name: string) => params[name] ?? name) + query

export const sendExample = (endpoint: Endpoint, example: Example, client: Client): Promise<Reply> =>
  client.send(endpoint.method, pathOf(endpoint, example), {
    ...(example.body !== undefined && { body: example.body }),
    ...(example.raw !== undefined && { raw: example.raw }),
    ...(example.headers && { headers: example.headers }),
  })
