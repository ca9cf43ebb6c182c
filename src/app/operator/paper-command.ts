import { outside, scoped } from '#db/scope/scope.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { ApiError } from '#kernel/values/errors.ts'
import { guardedOutbound } from '#ports/outbound/guarded.ts'
import { logoBytes } from '#modules/files/index.ts'
import { PAPERS, paperNamed, type PaperKind, type PaperOptions } from '#modules/papers/index.ts'
import { existingTenant } from '#modules/tenants/index.ts'
import { rulesOf } from '#app/combine-modules.ts'
import type { Config } from '#app/config/config.ts'
import { allModules } from '#app/modules.ts'
import { openServicesReadOnly, outboundPolicy, type Services } from '#app/services.ts'
import { openPresent, tenantIdOf } from './operator.ts'
import { writeOut, type OutputTarget } from './write-out.ts'

export { PAPER_SIZES } from '#ports/papers/port.ts'
export const PAPER_KINDS = Object.keys(PAPERS) as PaperKind[]

export interface WantedPaper extends OutputTarget, PaperOptions {
  kind: PaperKind
  /** The number or name of its record, or its id. */
  name: string
  /** The institute; undefined: the only one that there is. */
  slug: string | undefined
}

const noneOf = (kind: PaperKind, name: string): Error => {
  const paper = PAPERS[kind]
  const hint = 'by' in paper ? `its ${paper.by}, or its id` : 'its id'
  return new Error(`There is no ${kind} ${JSON.stringify(name)}: name it by ${hint}.`)
}

/** Nothing is changed by the command, and so it never takes an original. */
const editionOf = async () => 'copy' as const

const print = async (services: Services, wanted: WantedPaper): Promise<{ name: string; bytes: Buffer }> => {
  const { database, papers, files } = services
  const { slug, kind, name } = wanted
  const rules = rulesOf(allModules(services))
  const tenantId = await tenantIdOf(database, slug)
  const tenant = await existingTenant(outside(database.read, rules), tenantId)
  const whole = scoped(database.read, { tenantId, rules, reach: 'all' })
  const paper = await paperNamed(
    { papers, readLogo: logoBytes(files) },
    { db: whole, whole, tenant, editionOf },
    wanted,
  )
  if ('print' in paper) return { name: paper.name, bytes: await paper.print() }
  if (paper.ids.length === 0) throw noneOf(kind, name)
  throw new Error(`Several have the name ${JSON.stringify(name)}: name one by its id, of ${paper.ids.join(', ')}.`)
}

/**
 * Writes one paper as PDF. The program may be running meanwhile; nothing is changed.
 * @returns the path of the file
 * @throws an Error that says what is wrong, a Mistake for a wrong place; then no file is left
 */
export const writePaper = async (config: Config, wanted: WantedPaper): Promise<string> => {
  const database = await openPresent(config)
  const outbound = guardedOutbound({ policy: outboundPolicy(config) })
  try {
    const services = await openServicesReadOnly(config, database, { clock: systemClock, outbound })
    try {
      const { name, bytes } = await print(services, wanted)
      const content = async function* () {
        yield bytes
      }
      return await writeOut({ ...wanted, what: 'paper', name }, content)
    } finally {
      await services.papers.close()
    }
  } catch (error) {
    throw error instanceof ApiError && error.spec.code === 'NOT_FOUND' ? noneOf(wanted.kind, wanted.name) : error
  } finally {
    await outbound.close()
    await database.close()
  }
}
