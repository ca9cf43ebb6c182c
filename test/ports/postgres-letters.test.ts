import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { DEFAULTS, type Config } from '#app/config/config.ts'
import { examine } from '#app/operator/doctor.ts'
import { openUpgraded } from '#app/upgrade.ts'
import { openPostgres } from '#db/database.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { asAdmin, createDatabase } from '#kit/postgres.ts'

const ADMIN = inject('postgresAdminUrl')

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'institute-letters-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const configOf = (databaseUrl: string): Config => ({ ...DEFAULTS, dataDir, databaseUrl })

const made = async (kind: string) => {
  const database = await createDatabase(ADMIN, { kind })
  onTestFinished(() => database.drop())
  return database
}

/** What migrate and serve do first; the refusal, or undefined. */
const refusalOf = async (url: string): Promise<string | undefined> => {
  try {
    const { database } = await openUpgraded(configOf(url))
    await database.close()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** What there is in a database: tables and extensions. */
const contentOf = async (url: string): Promise<unknown[]> => {
  const database = openPostgres({ url })
  try {
    const { rows } = await sql`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace
      union all select extname from pg_extension where extname <> 'plpgsql'
    `.execute(database.read)
    return rows
  } finally {
    await database.close()
  }
}

const FROM_TEMPLATE0 = 'template template0 locale_provider libc'

describe('a Postgres database that loses Arabic and Hebrew', () => {
  test.each([
    ['SQL_ASCII', 'C', "encoding 'SQL_ASCII' locale 'C'"],
    ['LATIN1', 'C', "encoding 'LATIN1' locale 'C'"],
    ['UTF8', 'C', "encoding 'UTF8' locale 'C'"],
  ])(
    '(%s, %s) is refused before anything is made in it, with the command that makes a good one',
    async (encoding, ctype, kind) => {
      const { url, name } = await made(`${FROM_TEMPLATE0} ${kind}`)
      const told = (await refusalOf(url)) ?? ''
      expect(told).toMatch(
        `The database ${name} loses Arabic and Hebrew: its encoding is ${encoding} and its character type ${ctype}`,
      )
      expect(await contentOf(url)).toEqual([])
      const [finding] = (await examine(configOf(url), systemClock)).filter(({ about }) => about === 'database')
      expect(finding).toMatchObject({ state: 'wrong', text: expect.stringContaining(`the database ${name} loses`) })

      const [, command = ''] = /\(psql -c "(.*)"\)/.exec(told) ?? []
      const [, better = ''] = /^create database (\w+)/.exec(command) ?? []
      await asAdmin(ADMIN, command)
      onTestFinished(() => asAdmin(ADMIN, `drop database "${better}" with (force)`))
      expect(await refusalOf(Object.assign(new URL(url), { pathname: `/${better}` }).href)).toBeUndefined()
    },
  )

  test('is refused also where it was used before', async () => {
    const { url } = await made(`${FROM_TEMPLATE0} encoding 'UTF8' locale 'C'`)
    await asAdmin(url, 'create extension pg_trgm')
    expect(await refusalOf(url)).toContain('loses Arabic and Hebrew')
  })
})

test('a Postgres database that keeps them is taken, by processes that begin at once too', async () => {
  const { url } = await made("template template0 encoding 'UTF8' locale_provider libc locale 'C.UTF-8'")
  expect(await Promise.all([refusalOf(url), refusalOf(url)])).toEqual([undefined, undefined])
  expect(await refusalOf(url)).toBeUndefined()
})
