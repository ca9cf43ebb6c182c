import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { API_ROOT } from '#http/server/server.ts'
import { SecondClient } from '#kit/second-client.ts'
import { median, type Measured, type Row, type Sample } from './figures.ts'
import type { School } from './school.ts'

const IMPORTED = 5000
const POLL_MILLIS = 250

export const IMPORT = {
  name: 'import',
  what: 'students with a mother each, imported from a CSV beside a client who reads a list',
  against: '',
  unit: '/s',
  better: 'higher',
  floor: 167,
  goal: 833,
} satisfies Row

export const BESIDE_IMPORT = {
  name: 'beside-import',
  what: 'worst wait for a list while students are imported',
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

interface Import {
  id: string
  status: 'queued' | 'running' | 'done' | 'failed'
  created: number
}

/** Each table has people of its own. */
let made = 0

const table = (): Buffer => {
  const series = String((made += 1)).padStart(2, '0')
  const rows = Array.from({ length: IMPORTED }, (_, at) => {
    const number = `${series}${String(at).padStart(5, '0')}`
    return `Dana D${number},050${number},Ruth R${number},052${number}`
  })
  return Buffer.from(['Name,Phone,Mother name,Mother phone', ...rows].join('\r\n'))
}

const uploadTable = async ({ call, program }: School): Promise<string> => {
  const bytes = table()
  const said = { kind: 'document', originalName: 'list.csv', mimeType: 'text/csv', sizeBytes: bytes.length }
  const { uploadUrl, storageKey } = await call<{ uploadUrl: string; storageKey: string }>(
    'POST',
    '/files/upload-url',
    said,
  )
  const { pathname, search } = new URL(uploadUrl)
  const headers = { 'content-type': said.mimeType }
  const { ok, status } = await fetch(new URL(pathname + search, program.url), { method: 'PUT', body: bytes, headers })
  if (!ok) throw new Error(`the upload was refused: ${status}`)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return (await call<{ id: string }>('POST', '/files/complete', { ...said, storageKey, sha256 })).id
}

/** @returns how many students a second */
const importTable = async (school: School, fileId: string): Promise<number> => {
  const began = performance.now()
  let standing = await school.call<Import>('POST', '/imports', { kind: 'students', fileId })
  while (standing.status === 'queued' || standing.status === 'running') {
    await pause(POLL_MILLIS)
    standing = await school.call<Import>('GET', `/imports/${standing.id}`)
  }
  if (standing.created !== IMPORTED) throw new Error(`the import came to ${JSON.stringify(standing)}`)
  return IMPORTED / ((performance.now() - began) / 1000)
}

const importOnce = async (school: School): Promise<{ rate: number; worst: number }> => {
  const fileId = await uploadTable(school)
  const second = new SecondClient(school.program.url, school.token, [`${API_ROOT}/students?limit=25`])
  try {
    let rate = 0
    const { worst, refused } = await second.beside(async () => {
      rate = await importTable(school, fileId)
    })
    if (refused.length > 0) throw new Error(`the second client was refused: ${refused[0]}`)
    return { rate, worst }
  } finally {
    second.stop()
  }
}

const measuredOf =
  (figure: 'rate' | 'worst') =>
  async (school: School, rounds: number): Promise<Measured> => {
    const samples: Sample[] = []
    for (let round = 0; round < rounds; round += 1) samples.push({ ours: (await importOnce(school))[figure] })
    return { samples }
  }

export const importRate = measuredOf('rate')
export const besideImport = measuredOf('worst')

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
