import type { JobKind, Module } from '#kernel/contract/module.ts'
import type { SystemDb, TableRules } from '#kernel/contract/tables.ts'

/** Names everything that only one module may bring, for the error message. */
const namesOf = (module: Module): string[] => [
  ...Object.keys(module.tables ?? {}).map((table) => `the table ${table}`),
  ...(module.endpoints ?? []).flatMap(({ id, method, path }) => [
    `the endpoint ${id}`,
    `the address ${method} ${path.replaceAll(/\{\w+\*?\}/g, '{}')}`,
  ]),
  ...Object.keys(module.tags ?? {}).map((tag) => `the tag ${tag}`),
  ...(module.jobs ?? []).map(({ name }) => `the job ${name}`),
  ...(module.credentials ?? []).map(({ name }) => `the credential ${name}`),
  ...(module.events ?? []).map((type) => `the event ${type}`),
  ...(module.probes ?? []).map(({ name }) => `the probe ${name}`),
  ...(module.checks ?? []).map(({ about }) => `the check ${about}`),
]

const refuseTwins = (modules: readonly Module[]): void => {
  const owners = new Map<string, string>()
  const names = new Set<string>()
  for (const module of modules) {
    if (names.has(module.name)) throw new Error(`There are two modules of the name ${module.name}.`)
    names.add(module.name)
    for (const thing of namesOf(module)) {
      const owner = owners.get(thing)
      if (owner === module.name) throw new Error(`The module ${owner} brings ${thing} twice.`)
      if (owner !== undefined) throw new Error(`The modules ${owner} and ${module.name} both bring ${thing}.`)
      owners.set(thing, module.name)
    }
  }
}

const refuseIdleCronJobs = (modules: readonly Module[], kinds: ReadonlyMap<string, JobKind>): void => {
  for (const { name, cronJobs = [] } of modules) {
    for (const { job } of cronJobs) {
      if (!kinds.has(job.name)) {
        throw new Error(`The module ${name} has a cron job of ${job.name}, which is in no module’s list of jobs.`)
      }
    }
  }
}

/** The rules of the tables of all modules. */
export const rulesOf = (modules: readonly Module[]): TableRules =>
  Object.assign({}, ...modules.map(({ tables }) => tables)) as TableRules

/**
 * Combines what all modules bring, by kind. @throws an Error of one line for what two modules bring, and for a cron job
 * whose job no module runs
 */
export const combineModules = (modules: readonly Module[]) => {
  refuseTwins(modules)
  const kinds = new Map(modules.flatMap(({ jobs = [] }) => jobs).map((kind) => [kind.name, kind]))
  refuseIdleCronJobs(modules, kinds)
  return {
    rules: rulesOf(modules),
    kinds: kinds as ReadonlyMap<string, JobKind>,
    endpoints: modules.flatMap(({ endpoints = [] }) => endpoints),
    recordNames: modules.flatMap(({ names = [] }) => names),
    cronJobs: modules.flatMap(({ cronJobs = [] }) => cronJobs),
    credentials: modules.flatMap(({ credentials = [] }) => credentials),
    subscribers: modules.flatMap(({ eventSubscribers = [] }) => eventSubscribers),
    authenticators: modules.flatMap(({ authenticators = [] }) => authenticators),
    mcpAuthenticators: modules.flatMap(({ mcpAuthenticators = [] }) => mcpAuthenticators),
    knowsOrigin: async (origin: string, now: string, db: SystemDb): Promise<boolean> => {
      for (const { knowsOrigin } of modules) if (await knowsOrigin?.(origin, now, db)) return true
      return false
    },
  }
}
