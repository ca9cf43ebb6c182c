import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { scoped } from '#db/scope/scope.ts'
import type { Asker } from '#kernel/who/actor.ts'
import { ApiError } from '#kernel/values/errors.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { addDocument, MAX_BYTES, objectKey, placeDocument, type NewDocument } from '#modules/files/index.ts'
import { emailKey } from '#modules/identity/index.ts'
import {
  callerOf,
  findImport,
  IMPORT_KINDS,
  IMPORT_WORDS,
  placeInWords,
  refusedCsv,
  requestImport,
  type ImportKind,
  type ImportRow,
} from '#modules/imports/index.ts'
import { existingTenant } from '#modules/tenants/index.ts'
import type { Config } from '#app/config/config.ts'
import { openFiles } from '#app/data-dir/files.ts'
import { asCaller } from '#app/data-dir/owner.ts'
import { Mistake } from '#app/trouble/mistake.ts'
import { rulesOfProgram } from './export-command.ts'
import { changeByCommand, openPresent, tenantIdOf } from './operator.ts'

export { IMPORT_KINDS }

const TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.tsv': 'text/tab-separated-values',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.ods': 'application/vnd.oasis.opendocument.spreadsheet',
  '.xls': 'application/vnd.ms-excel',
}

export interface WantedImport {
  kind: ImportKind
  /** Its path, reached with the rights of whoever runs the command. */
  file: string
  /** The institute; undefined: the only one that there is. */
  slug: string | undefined
  /** In whose name; undefined: in that of the only owner. */
  email: string | undefined
  mode: 'all' | 'by_row'
  isDryRun: boolean
}

/** An import that has begun, or waits for the program. */
export interface BegunImport {
  id: string
  tenantId: string
}

/** @throws a Mistake for a file that is no table, or too large */
const readTable = (file: string): { bytes: Buffer; type: string } => {
  const type = TYPES[path.extname(file).toLowerCase()]
  if (type === undefined) throw new Mistake(`${file} is no table: it ends in none of ${Object.keys(TYPES).join(', ')}.`)
  return asCaller(() => {
    const { size } = statSync(file)
    if (size === 0) throw new Mistake(`${file} is empty.`)
    if (size > MAX_BYTES) throw new Mistake(`${file} is larger than ${MAX_BYTES / 1024 / 1024} MB: cut it in two.`)
    return { bytes: readFileSync(file), type }
  })
}

/** @throws a Mistake where that is nobody, or several */
const memberFor = async (system: SystemTx, tenantId: string, email: string | undefined) => {
  const tenant = await existingTenant(system.db, tenantId)
  const members = system
    .inTenant(tenant)
    .whole.selectFrom('membership')
    .innerJoin('user', 'user.id', 'membership.user_id')
    .innerJoin('role_assignment', 'role_assignment.membership_id', 'membership.id')
    .innerJoin('role', 'role.id', 'role_assignment.role_id')
    .select(['membership.id as membershipId', 'membership.user_id as userId'])
    .distinct()
    .where('membership.status', '=', 'active')
  const found =
    email === undefined
      ? await members.where('role.key', '=', 'owner').limit(2).execute()
      : await members.where('user.email_key', '=', emailKey(email)).limit(2).execute()
  const [member, ...others] = found
  if (!member)
    throw new Mistake(
      `${email === undefined ? 'Nobody owns' : `${email} does not work at`} ${tenant.slug}: name a member with --as EMAIL.`,
    )
  if (others.length > 0) throw new Mistake(`${tenant.slug} has several owners: name one with --as EMAIL.`)
  const { userId, membershipId } = member
  const actor = { type: 'user', userId, membershipId, sessionId: '', impersonatorId: null } as const
  const asker: Asker = { actor, channel: 'cli', requestId: null, ip: null }
  return { tenant, asker, userId }
}

/** @throws as openPresent and tenantIdOf */
const named = async (config: Config, slug: string | undefined): Promise<string> => {
  const database = await openPresent(config)
  try {
    return await tenantIdOf(database, slug)
  } finally {
    await database.close()
  }
}

/**
 * Begins an import of a file in somebody's name; the running program does it.
 * @throws a Mistake, or an Error that says what is wrong
 */
export const beginImport = async (config: Config, wanted: WantedImport): Promise<BegunImport> => {
  const { kind, file, slug, email, mode, isDryRun } = wanted
  const { bytes, type } = readTable(file)
  const tenantId = await named(config, slug)
  const files = await openFiles(config)
  try {
    const at = await changeByCommand(config, 'imports.create', async (system) => {
      const { tenant } = await memberFor(system, tenantId, email)
      return placeDocument(system.inTenant(tenant), files, bytes.length)
    })
    const stored = async function* () {
      yield bytes
    }
    await files.put(objectKey({ tenant_id: tenantId, object_name: at.object, place: at.place }), stored(), bytes.length)
    const document: Omit<NewDocument, 'userId'> = {
      ...at,
      name: path.basename(file).slice(0, 255),
      mimeType: type,
      sizeBytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    }
    return await changeByCommand(config, 'imports.create', async (system) => {
      const { tenant, asker, userId } = await memberFor(system, tenantId, email)
      const tx = system.inTenant(tenant)
      const caller = await callerOf(system, tenant, asker)
      const fileId = await addDocument(tx, { ...document, userId })
      const { id } = await requestImport(tx, {
        caller,
        asker,
        body: { kind, mode, knownPhone: 'refuse', dryRun: isDryRun, fileId },
      })
      return { id, tenantId }
    })
  } catch (error) {
    throw error instanceof ApiError ? new Error(error.message, { cause: error }) : error
  } finally {
    await files.close()
  }
}

const LOOK_EVERY_MILLIS = 250

/** What an import has done, in words. */
export interface EndedImport {
  isDone: boolean
  created: number
  updated: number
  unchanged: number
  refused: number
  /** The first things that are wrong, a line for each. */
  errors: string[]
  /** The refused rows, to mend and to import again. */
  refusedRows: Buffer
}

const inWords = ({ row, value, reason, ...place }: ImportRow['errors'][number]): string => {
  const where = [row === null ? [] : `row ${row}`, placeInWords(place, 'en') ?? []].flat().join(', ')
  const what = value === null ? '' : ` (${value})`
  return `${where === '' ? '' : `${where}: `}${IMPORT_WORDS.en.reasons[reason]}${what}`
}

/**
 * Waits until the running program has done an import.
 * @param onLook called with what stands, four times a second
 */
export const followImport = async (
  config: Config,
  { id, tenantId }: BegunImport,
  onLook: (row: Pick<ImportRow, 'status' | 'pass' | 'position' | 'row_count'>) => void,
): Promise<EndedImport> => {
  const database = await openPresent(config)
  try {
    const rules = await rulesOfProgram(config, database)
    const whole = scoped(database.read, { tenantId, rules, reach: 'all' })
    for (;;) {
      const row = await findImport(whole, id)
      if (!row) throw new Error('The import was removed meanwhile.')
      onLook(row)
      if (row.finished_at !== null) {
        const { created, updated, unchanged, refused } = row
        const counts = { created, updated, unchanged, refused }
        const refusedRows = await refusedCsv(whole, row, 'en')
        return { isDone: row.status === 'done', ...counts, errors: row.errors.map(inWords), refusedRows }
      }
      await pause(LOOK_EVERY_MILLIS)
    }
  } finally {
    await database.close()
  }
}
