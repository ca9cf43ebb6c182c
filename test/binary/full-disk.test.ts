import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SmallDisk, whyNoSmallDisk } from '#kit/small-disk.ts'
import { EXECUTABLE } from '../school-day/program.ts'
import { Distribution, isSame, PATH, type Installed } from './distribution.ts'
import { outcomeIn, Releases, serves, type Padding } from './releases.ts'

/**
 * A disk that is full at each step of an update: one whole version stands, nothing is lost, and the owner is told which disk
 * lacks room. The download itself is in test/unit/app/updates/full-disk.test.ts.
 */

const hasOpenssl = spawnSync('openssl', ['version'], { env: { PATH } }).status === 0
const why = hasOpenssl ? whyNoSmallDisk() : 'openssl is not installed'
if (why !== undefined) console.log(`A full disk during an update is skipped: ${why}`)

const MEGABYTE = 1024 * 1024
/** Of the program that runs. */
const programMegabytes = (): number => Math.ceil(statSync(EXECUTABLE).size / MEGABYTE)

let made: Distribution
let releases: Releases
beforeAll(async () => {
  made = await Distribution.make()
  releases = new Releases(made.folder)
})
afterAll(() => made.remove())

/** @returns a folder that goes first in PATH, with a colon behind */
const toolThat = (name: string, script: string): string => {
  const bin = mkdtempSync(path.join(made.folder, 'bin-'))
  writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`)
  chmodSync(path.join(bin, name), 0o755)
  return `${bin}:`
}

/** A `df` that saw room before something else took it. */
const roomAtFirst = (): string => toolThat('df', 'echo Filesystem; echo none 1 1 99999999 1% /')

/** A `cp` before whose copy of the new program something else takes all but twenty megabytes of the disk. */
const fillsAtSwap = ({ root }: Installed): string =>
  toolThat(
    'cp',
    `case "$*" in *institute.new)
  free=$(/bin/df -Pk ${root} | awk 'NR == 2 { print $4 }')
  fallocate -l $(((free - 20480) * 1024)) ${root}/filler
esac
exec /bin/cp "$@"`,
  )

const leftovers = ({ root }: Installed): string[] =>
  readdirSync(path.join(root, 'opt/institute')).filter((name) => /\.(?:new|kept)$|^incoming$|^trial$/.test(name))

interface Row {
  step: string
  /** Megabytes that are free when the updater begins, beside those of another copy of the program where `isForCopy`. */
  free?: number
  isForCopy?: boolean
  /** Of which the new version's program consists beside its script. */
  padding?: Padding
  /** Something else takes the room in between. */
  tools?: (server: Installed) => string
  told: RegExp
}

const ROWS: readonly Row[] = [
  {
    step: 'before anything is copied',
    free: 60,
    padding: { megabytes: 20, isDense: true },
    told: /^the disk of .+\/opt\/institute needs 1\d\d MB, and has \d+ MB$/,
  },
  {
    step: 'while it is unpacked',
    free: 60,
    padding: { megabytes: 90 },
    told: /No space left on device$/,
  },
  {
    step: 'before the program is stopped',
    free: 80,
    told: /^There is no room left on the disk of .+\/opt\/institute: it needs \d+ MB, and has \d+ MB\. Nothing was changed\.$/,
  },
  {
    step: 'while the version that runs is kept',
    free: 80,
    tools: roomAtFirst,
    told: /\/opt\/institute\/institute\.kept'?: No space left on device$/,
  },
  {
    step: 'while the backup is made',
    free: 2,
    isForCopy: true,
    tools: roomAtFirst,
    told: /There is no room .*(?:backup|\/var\/lib\/institute)/,
  },
  {
    step: 'while the new version is laid',
    padding: { megabytes: 50 },
    tools: fillsAtSwap,
    told: /\/opt\/institute\/institute\.new'?: No space left on device$/,
  },
]

describe.skipIf(why !== undefined)('a disk that is full', () => {
  test.each(ROWS)('$step', async ({ free, isForCopy = false, padding, tools = () => '', told }) => {
    let disk: SmallDisk | undefined
    const server = await made.installed((root) => {
      disk = new SmallDisk(root, 1024)
    })
    server.setUp()
    const room = disk as SmallDisk
    releases.isKnownTo(server)
    const release = releases.archiveThat(serves(server), '9.9.9', padding)
    releases.stage(server, release)
    if (free !== undefined) room.leave(free + (isForCopy ? programMegabytes() : 0))

    const ended = await releases.apply(server, tools(server))
    expect(ended.code, ended.stderr).toBe(1)
    expect(outcomeIn(server)).toMatchObject({ state: 'failed', version: '9.9.9', reason: 'disk_full' })
    expect(outcomeIn(server).detail).toMatch(told)
    expect(isSame(server.program, EXECUTABLE)).toBe(true)
    expect(leftovers(server)).toEqual([])

    room.makeRoom()
    expect(await server.isWhole()).toBe(true)
    // With room there it goes in.
    releases.stage(server, release)
    const after = await releases.apply(server)
    expect(after.code, after.stderr).toBe(0)
    expect(outcomeIn(server)).toMatchObject({ state: 'ok', version: '9.9.9' })
  })
})
