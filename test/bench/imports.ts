import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Engine } from '#db/database.ts'
import { API_ROOT } from '#http/server/server.ts'
import { client, type Client } from '#kit/client.ts'
import { SecondClient, type Waits } from '#kit/second-client.ts'
import { median, type Measured, type Row, type Sample } from './figures.ts'
import { openServer } from './postgres-server.ts'
import { millisWithChildren } from './processor.ts'
import { Program } from './program.ts'
import type { Measure } from './rounds.ts'
import { setUp, type School } from './school.ts'
import type { Workbench } from './workbench.ts'

const POLL_MILLIS = 250

const ofImport = {
  what: 'processor time a student, each imported from a CSV with a mother',
  against: '',
  unit: 'ms',
  better: 'lower',
} as const

const IMPORT = { ...ofImport, name: 'import', floor: 1.2, goal: 0.5 } satisfies Row
const IMPORT_POSTGRES = {
  ...ofImport,
  name: 'import-postgres',
  what: `${ofImport.what}: of the program and of Postgres`,
  floor: 2.5,
  goal: 1,
} satisfies Row

const BESIDE_IMPORT = {
  name: 'beside-import',
  what: 'worst wait for a list while students are imported, on SQLite',
  against: '',
  unit: 'ms',
  better: 'lower',
  floor: 150,
  goal: 50,
} satisfies Row

export const LIST_FILES = {
  name: 'list-files',
  what: '200,000 students as CSV and as XLSX, the slower of both',
  against: '',
  unit: 's',
  better: 'lower',
  floor: 40,
  goal: 15,
} satisfies Row

/** Each table has people of its own. */
let made = 0

const table = (count: number): Buffer => {
  const series = String((made += 1)).padStart(2, '0')
  const rows = Array.from({ length: count }, (_, at) => {
    const number = `${series}${String(at).padStart(5, '0')}`
    return `Dana D${number},050${number},Ruth R${number},052${number}`
  })
  return Buffer.from(['Name,Phone,Mother name,Mother phone', ...rows].join('\r\n'))
}

const good = async (reply: ReturnType<Client['get']>) => {
  const { status, body } = await reply
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

/** What the program and its database have used, in milliseconds of processor time. */
interface Used {
  program: number
  server: number
}

/** A new institute into which lists are imported. */
export class Imports {
  readonly #program: Program
  readonly #token: string
  readonly #owner: Client
  readonly #serverMillis: () => number
  readonly #close: () => Promise<void>

  private constructor(parts: {
    program: Program
    token: string
    serverMillis: () => number
    close: () => Promise<void>
  }) {
    this.#program = parts.program
    this.#token = parts.token
    this.#owner = client(parts.program.url).as(parts.token)
    this.#serverMillis = parts.serverMillis
    this.#close = parts.close
  }

  static async open(executable: string, folder: string, engine: Engine): Promise<Imports> {
    const server = engine === 'postgres' ? await openServer() : undefined
    const program = await Program.start(executable, folder, { databaseUrl: server?.url })
    const close = async (): Promise<void> => {
      await program.stop()
      await server?.close()
    }
    return new Imports({ program, token: await setUp(program), serverMillis: server?.serverMillis ?? (() => 0), close })
  }

  #used(): Used {
    return { program: millisWithChildren(this.#program.pid), server: this.#serverMillis() }
  }

  async #upload(count: number): Promise<string> {
    const bytes = table(count)
    const said = { kind: 'document', originalName: 'list.csv', mimeType: 'text/csv', sizeBytes: bytes.length }
    const { uploadUrl, storageKey } = await good(this.#owner.post('/files/upload-url', said))
    const { pathname, search } = new URL(uploadUrl)
    const headers = { 'content-type': said.mimeType }
    const put = await fetch(new URL(pathname + search, this.#program.url), { method: 'PUT', body: bytes, headers })
    if (!put.ok) throw new Error(`the upload was refused: ${put.status}`)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return (await good(this.#owner.post('/files/complete', { ...said, storageKey, sha256 }))).id
  }

  async #import(fileId: string, count: number): Promise<void> {
    let standing = await good(this.#owner.post('/imports', { kind: 'students', fileId }))
    while (standing.status === 'queued' || standing.status === 'running') {
      await pause(POLL_MILLIS)
      standing = await good(this.#owner.get(`/imports/${standing.id}`))
    }
    if (standing.created !== count) throw new Error(`the import came to ${JSON.stringify(standing)}`)
  }

  /** Imports so many students. @returns the processor time of one, in milliseconds */
  async cost(count: number): Promise<Used> {
    const fileId = await this.#upload(count)
    const before = this.#used()
    await this.#import(fileId, count)
    const after = this.#used()
    return { program: (after.program - before.program) / count, server: (after.server - before.server) / count }
  }

  /** @returns how long a list took meanwhile */
  async beside(count: number): Promise<Waits> {
    const fileId = await this.#upload(count)
    const second = new SecondClient(this.#program.url, this.#token, [`${API_ROOT}/students?limit=25`])
    try {
      const waits = await second.beside(() => this.#import(fileId, count))
      if (waits.refused.length > 0) throw new Error(`the second client was refused: ${waits.refused[0]}`)
      return waits
    } finally {
      second.stop()
    }
  }

  close(): Promise<void> {
    return this.#close()
  }
}

/** Of a first list nothing is compiled yet: so many rows are imported before. */
const WARM_UP = 1000

/** Each round is an institute of its own: how many students are there already is the same in all. */
const inRounds = async (
  bench: Workbench,
  engine: Engine,
  { rounds, round }: { rounds: number; round: (imports: Imports) => Promise<Sample> },
): Promise<Sample[]> => {
  const samples: Sample[] = []
  for (let nth = 0; nth < rounds; nth += 1) {
    const imports = await Imports.open(await bench.executable(), bench.emptyFolder(), engine)
    try {
      await imports.cost(WARM_UP)
      samples.push(await round(imports))
    } finally {
      await imports.close()
    }
  }
  return samples
}

const importCost =
  (engine: Engine): Measure =>
  async (bench, rounds) => {
    const all: Used[] = []
    const round = async (imports: Imports): Promise<Sample> => {
      const used = await imports.cost(bench.imported)
      all.push(used)
      return { ours: used.program + used.server }
    }
    const samples = await inRounds(bench, engine, { rounds, round })
    const usual = (of: keyof Used) => median(all.map((used) => used[of])).toFixed(2)
    return {
      samples,
      ...(engine === 'postgres' && { below: [`program ${usual('program')} ms, server ${usual('server')} ms`] }),
    }
  }

const besideImport: Measure = async (bench, rounds) => {
  const all: Waits[] = []
  const round = async (imports: Imports): Promise<Sample> => {
    const waits = await imports.beside(bench.imported)
    all.push(waits)
    return { ours: waits.worst }
  }
  const samples = await inRounds(bench, 'sqlite', { rounds, round })
  const usual = (of: 'p50' | 'p99') => median(all.map((waits) => waits[of])).toFixed(1)
  return { samples, below: [`p50 ${usual('p50')} ms, p99 ${usual('p99')} ms`] }
}

export const importRows: readonly (Row & { measure: Measure })[] = [
  { ...IMPORT, measure: importCost('sqlite') },
  { ...IMPORT_POSTGRES, measure: importCost('postgres') },
  { ...BESIDE_IMPORT, measure: besideImport },
]

const secondsOf = async ({ program, token }: School, format: string): Promise<number> => {
  const began = performance.now()
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${program.url}${API_ROOT}/students?format=${format}`, { headers })
  if (!response.ok) throw new Error(`no file: ${response.status}`)
  await response.arrayBuffer()
  return (performance.now() - began) / 1000
}

export const listFiles = async (school: School, rounds: number): Promise<Measured> => {
  const taken: { csv: number; xlsx: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    taken.push({ csv: await secondsOf(school, 'csv'), xlsx: await secondsOf(school, 'xlsx') })
  }
  const usual = (format: 'csv' | 'xlsx') => median(taken.map((one) => one[format])).toFixed(1)
  return {
    samples: taken.map(({ csv, xlsx }) => ({ ours: Math.max(csv, xlsx) })),
    below: [`CSV ${usual('csv')} s, XLSX ${usual('xlsx')} s`],
  }
}
