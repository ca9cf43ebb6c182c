import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Engine } from '#db/database.ts'
import { createDatabase, startPostgres } from '#kit/postgres.ts'
import { makeExecutable } from '../../build/executable.ts'
import { Morning } from './absences.ts'
import { Timetable } from './alignment.ts'
import { Reference } from './reference/reference.ts'
import { openLargeInstitute, type LargeInstitute } from './large-institute.ts'
import { openSchool, type School } from './school.ts'
import { openClouds, type Clouds } from './tenants.ts'

/** How many students an import brings, unless the bench is told otherwise. */
export const IMPORTED = 3000

/** What the rows work with. Each part is made on its first use, and removed at the end. */
export class Workbench {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'institute-bench-'))
  /** Prints what is being done, for whoever waits. */
  readonly say: (line: string) => void
  readonly #made = new Map<string, Promise<unknown>>()
  readonly #ends: (() => Promise<void> | void)[] = []
  #folders = 0

  /** How many students an import brings. */
  readonly imported: number

  constructor(say: (line: string) => void, { imported = IMPORTED }: { imported?: number } = {}) {
    this.say = say
    this.imported = imported
  }

  #once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const made = (this.#made.get(name) ?? make()) as Promise<T>
    this.#made.set(name, made)
    return made
  }

  emptyFolder(): string {
    this.#folders += 1
    const folder = path.join(this.#folder, String(this.#folders))
    mkdirSync(folder, { mode: 0o700 })
    return folder
  }

  /** The packaged program, built from this checkout. */
  executable(): Promise<string> {
    return this.#once('executable', async () => {
      this.say('packaging the program')
      return (await makeExecutable('src/main.ts', this.emptyFolder())).file
    })
  }

  school(students: number): Promise<School> {
    return this.#once(`school ${students}`, async () => {
      const executable = await this.executable()
      this.say(`filling an institute of ${students.toLocaleString('en')} students`)
      const school = await openSchool(executable, this.emptyFolder(), students)
      this.#ends.push(() => school.close())
      return school
    })
  }

  /** An institute of 200,000 students, on either engine. */
  largeInstitute(engine: Engine): Promise<LargeInstitute> {
    return this.#once(`large institute on ${engine}`, async () => {
      const executable = await this.executable()
      this.say(`filling an institute of 200,000 students (${engine})`)
      const institute = await openLargeInstitute(executable, this.emptyFolder(), await this.#databaseUrl(engine))
      this.#ends.push(() => institute.close())
      return institute
    })
  }

  /** Ten thousand institutes, and one with the rows of all of them, on either engine. */
  clouds(engine: Engine): Promise<Clouds> {
    return this.#once(`clouds on ${engine}`, async () => {
      const executable = await this.executable()
      this.say(`filling 10,000 institutes, and one with as many rows (${engine})`)
      const clouds = await openClouds(
        executable,
        () => this.emptyFolder(),
        () => this.#databaseUrl(engine),
      )
      this.#ends.push(() => clouds.close())
      return clouds
    })
  }

  /** An institute of fifty classes and its mail server, on either engine. */
  morning(engine: Engine): Promise<Morning> {
    return this.#once(`morning on ${engine}`, async () => {
      const executable = await this.executable()
      this.say(`filling fifty classes of twenty (${engine})`)
      const morning = await Morning.open(executable, this.emptyFolder(), await this.#databaseUrl(engine))
      this.#ends.push(() => morning.close())
      return morning
    })
  }

  /** An institute with a year of lessons, on either engine. */
  timetable(engine: Engine): Promise<Timetable> {
    return this.#once(`timetable on ${engine}`, async () => {
      const executable = await this.executable()
      this.say(`making a year of lessons (${engine})`)
      const timetable = await Timetable.open(executable, this.emptyFolder(), await this.#databaseUrl(engine))
      this.#ends.push(() => timetable.close())
      return timetable
    })
  }

  /** The URL of an empty Postgres database; undefined for SQLite, which needs none. */
  async #databaseUrl(engine: Engine): Promise<string | undefined> {
    return engine === 'sqlite' ? undefined : this.postgresUrl()
  }

  /** The URL of an empty Postgres database. */
  async postgresUrl(): Promise<string> {
    const postgres = await startPostgres()
    this.#ends.push(() => postgres.stop())
    return (await createDatabase(postgres.adminUrl)).url
  }

  /** A reference over a copy of the school's current database. */
  async reference(name: 'http' | 'writes', of: School): Promise<Reference> {
    return this.#once(name, async () => {
      const file = path.join(this.emptyFolder(), 'copy.db')
      of.database.exec(`vacuum into '${file}'`)
      return this.#started(new Reference(name, [file]))
    })
  }

  async bare(name: 'receiver' | 'sender'): Promise<Reference> {
    return this.#once(name, async () => this.#started(new Reference(name)))
  }

  #started(reference: Reference): Reference {
    this.#ends.push(() => reference.stop())
    return reference
  }

  async close(): Promise<void> {
    for (const end of this.#ends.toReversed()) await end()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
