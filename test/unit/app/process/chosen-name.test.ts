import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '#app/config/read-config.ts'
import { ChosenName } from '#app/process/chosen-name.ts'
import type { Chosen, LanName } from '#ports/lan-name/port.ts'

let dataDir: string
let now: string
let names: ChosenName[]
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'institute-name-'))
  now = '2026-03-02T08:00:00.000Z'
  names = []
})
afterEach(async () => {
  for (const one of names) await one.close()
  rmSync(dataDir, { recursive: true })
})

const conf = () => path.join(dataDir, 'institute.conf')

/** A start of the program, in a network whose answers the test gives. */
const start = ({ answer = { result: 'named' } }: { answer?: Chosen } = {}) => {
  const seen = { wanted: undefined as string | undefined, too: [] as readonly string[], changed: [] as unknown[] }
  let current: string | undefined
  const network: LanName = {
    current: () => current,
    choose: async (label) => {
      if (answer.result === 'named') current = `${label}.local`
      return answer
    },
    answerToo: (labels) => {
      seen.too = labels
    },
    close: async () => {},
  }
  const name = new ChosenName({
    config: readConfig({ INSTITUTE_DATA_DIR: dataDir }, {}).config,
    clock: { now: () => now },
    log: pino({ level: 'silent' }),
    machine: { isInContainer: () => false },
    openLanName: ({ wanted }) => {
      seen.wanted = wanted
      current = wanted && `${wanted}.local`
      return network
    },
    changed: async (...change) => void seen.changed.push(change),
  })
  names.push(name)
  name.open()
  return { name, seen }
}

test('holds after the next start, with the names of before until their time is over', async () => {
  const first = start()
  expect(first.seen.wanted).toBe('institute')
  await first.name.choose('school')
  expect(first.seen).toMatchObject({ too: ['institute'], changed: [['institute.local', 'school.local']] })

  now = '2026-04-01T23:59:00.000Z'
  const second = start()
  expect(second.seen).toMatchObject({ wanted: 'school', too: ['institute'] })
  now = '2026-04-02T00:00:00.000Z'
  second.name.look()
  expect(second.seen.too).toEqual([])
  expect(second.name.former()).toEqual([])
})

test('other lines of the settings stay, and a name that was refused is written nowhere', async () => {
  writeFileSync(conf(), '# ours\nINSTITUTE_LAN_NAME=office\nINSTITUTE_PORT=9000\n')
  const { name, seen } = start({ answer: { result: 'taken', free: 'school-2' } })
  expect(await name.choose('school')).toEqual({ result: 'taken', free: 'school-2' })
  expect(seen.changed).toEqual([])
  expect(name.wanted()).toBe('office.local')
  expect(readFileSync(conf(), 'utf8')).toBe('# ours\nINSTITUTE_LAN_NAME=office\nINSTITUTE_PORT=9000\n')
  const next = start()
  await next.name.choose('school')
  expect(readFileSync(conf(), 'utf8')).toBe(
    '# ours\nINSTITUTE_LAN_NAME=school\nINSTITUTE_PORT=9000\nINSTITUTE_FORMER_LAN_NAMES=office/2026-04-01\n',
  )
})

test('what cannot be written does not hold until the next start either', async () => {
  const { name, seen } = start()
  mkdirSync(conf())
  await expect(name.choose('school')).rejects.toThrow(/EISDIR/)
  expect(name.current()).toBe('institute.local')
  expect(seen).toMatchObject({ too: [], changed: [] })
  rmSync(conf(), { recursive: true })
})

test('many tries keep the newest names of before', async () => {
  const { name } = start()
  for (let nth = 1; nth <= 12; nth += 1) await name.choose(`school-${nth}`)
  expect(name.former().map((one) => one.name)).toEqual([4, 5, 6, 7, 8, 9, 10, 11].map((nth) => `school-${nth}.local`))
})
