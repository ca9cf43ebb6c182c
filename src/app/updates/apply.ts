import { spawnSync } from 'node:child_process'
import { createHash, createPublicKey } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'
import { environmentForOthers } from '#executable/environment.ts'
import { MACHINE } from '#executable/platform.ts'
import { syncToDisk } from '#executable/to-disk.ts'
import { Envelope, readEnvelope, unverified } from './envelope.ts'
import { readKeys, type Keys } from './keys.ts'
import { pinnedKeys } from './look.ts'
import { Manifest, NOTHING_SEEN, readManifest, type Offer } from './manifest.ts'
import { bootId, outcomeFile, type Outcome } from './outcome.ts'
import { incomingIn, stagedIn } from './places.ts'
import { UpdateRefused } from './refused.ts'
import { assertRoomNow, isFull, saidOfRoom } from './room.ts'
import { LONGEST_PAPER } from './source.ts'

const PIECE_BYTES = 1024 * 1024
const LONGEST_OUTPUT = 16 * PIECE_BYTES

export interface Applying {
  /** Where the program lies, and only root writes. */
  programDir: string
  dataDir: string
  /** The version that is installed. */
  version: string
  now: Date
  /** It came by hand, on a stick. */
  mayBeExpired: boolean
  /** Seconds that the new version has until it answers; undefined: what install.sh gives it. */
  wait?: string | undefined
}

/** The root folder under which install.sh has laid everything; undefined: that of the machine. */
const rootOf = (programDir: string): string | undefined => {
  const root = path.resolve(programDir, '../..')
  return root === '/' ? undefined : root
}

/**
 * Opens what the service has laid. Root reads no more for it than it may read itself: no link is followed, and what does not
 * belong to the service's own user is none of its files.
 */
const openOfService = (file: string, owner: number): number => {
  let handle: number
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new UpdateRefused('no_file', code === 'ELOOP' ? `${file} is a link` : message)
  }
  const { uid } = fstatSync(handle)
  if (fstatSync(handle).isFile() && uid === owner) return handle
  closeSync(handle)
  throw new UpdateRefused('no_file', `${file} is no file of the service`)
}

/** Copies what the service has laid. @returns the SHA-256 of the copy @throws UpdateRefused where it is longer */
const copyOfService = (file: string, to: string, { owner, most }: { owner: number; most: number }): string => {
  const from = openOfService(file, owner)
  const target = openSync(to, 'wx', 0o600)
  try {
    const hash = createHash('sha256')
    const piece = Buffer.alloc(PIECE_BYTES)
    let copied = 0
    for (;;) {
      const bytes = readSync(from, piece)
      if (bytes === 0) return hash.digest('hex')
      copied += bytes
      if (copied > most) throw new UpdateRefused('file_differs', `${file} is longer than it should be`)
      hash.update(piece.subarray(0, bytes))
      // On a disk that fills, less is written at first, and it says so the next time alone.
      for (let written = 0; written < bytes;) written += writeSync(target, piece, written, bytes - written)
    }
  } finally {
    closeSync(from)
    closeSync(target)
  }
}

/** Whether the key in a release's own folder is one that counts now; install.sh then keeps it for the next. */
const assertKey = (file: string, { release }: Keys): void => {
  const { x = '' } = createPublicKey(readFileSync(file)).export({ format: 'jwk' })
  if (!release.keys.some(({ text }) => text === x)) throw new UpdateRefused('bad_signature', 'of the release itself')
}

const run = (command: string, args: readonly string[]) =>
  spawnSync(command, args, {
    // What they say of a full disk is read.
    env: { ...environmentForOthers(), LC_ALL: 'C' },
    encoding: 'utf8',
    maxBuffer: LONGEST_OUTPUT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })

const lastLineOf = (text: string): string => text.trim().split('\n').at(-1) ?? ''

class Applier {
  readonly #how: Applying
  readonly #mine: string
  #version: string | null = null

  constructor(how: Applying) {
    this.#how = how
    this.#mine = incomingIn(how.programDir)
  }

  #say(outcome: Pick<Outcome, 'state'> & Partial<Outcome>): void {
    const { programDir, now } = this.#how
    const file = outcomeFile(programDir)
    const whole = {
      version: this.#version,
      reason: null,
      detail: '',
      at: now.toISOString(),
      boot: bootId(),
      ...outcome,
    }
    writeFileSync(`${file}.new`, `${JSON.stringify(whole)}\n`, { mode: 0o644, flush: true })
    renameSync(`${file}.new`, file)
    syncToDisk(programDir)
  }

  /** Copies the papers to where only root writes, and reads them with the keys of the version that is installed. */
  #readPapers(owner: number): { offer: Offer; keys: Keys } {
    const { dataDir, programDir, version, now, mayBeExpired } = this.#how
    const staged = stagedIn(dataDir)
    const [manifest, chain] = [path.join(this.#mine, 'manifest.json'), path.join(this.#mine, 'keys.json')]
    copyOfService(staged.manifest, manifest, { owner, most: LONGEST_PAPER })
    copyOfService(staged.keys, chain, { owner, most: LONGEST_PAPER })
    const envelopes = v.safeParse(v.array(Envelope), JSON.parse(readFileSync(chain, 'utf8')))
    if (!envelopes.success) throw new UpdateRefused('malformed')
    const keys = readKeys(pinnedKeys(programDir), envelopes.output)
    const envelope = readEnvelope(readFileSync(manifest))
    const { offer, obstacle } = readManifest(envelope, keys, {
      channel: unverified(envelope, Manifest).channel,
      version,
      target: MACHINE,
      now: now.getTime(),
      seen: NOTHING_SEEN,
      mayBeExpired,
    })
    if (!offer) throw new UpdateRefused(obstacle ?? 'not_newer')
    return { offer, keys }
  }

  /** @returns the folder of the release, which is what was signed */
  #unpack({ version, file }: Offer, { owner, keys }: { owner: number; keys: Keys }): string {
    const [archive, folder] = [path.join(this.#mine, 'release.tar.gz'), path.join(this.#mine, 'release')]
    const found = copyOfService(stagedIn(this.#how.dataDir).release, archive, { owner, most: file.size })
    if (statSync(archive).size < file.size) throw new UpdateRefused('file_incomplete')
    if (found !== file.sha256) throw new UpdateRefused('file_differs')
    mkdirSync(folder)
    const args = [
      '--extract',
      '--gzip',
      '--file',
      archive,
      '--directory',
      folder,
      '--strip-components=1',
      '--no-same-owner',
    ]
    const { status, stderr } = run('tar', args)
    if (status !== 0) throw saidOfRoom(stderr) ?? new UpdateRefused('malformed', lastLineOf(stderr))
    rmSync(archive)
    assertKey(path.join(folder, 'release.pub'), keys)
    // The executable says its version itself: another one under this name is the wrong file.
    const says = run(path.join(folder, 'institute'), ['version']).stdout.trim().split(' ')[0]
    if (says !== version) throw new UpdateRefused('file_differs', `the executable says that it is version ${says}`)
    return folder
  }

  #install(folder: string): void {
    const { programDir, wait } = this.#how
    const root = rootOf(programDir)
    const { status, stdout, stderr } = run('/bin/sh', [
      path.join(folder, 'install.sh'),
      '--key',
      path.join(folder, 'release.pub'),
      ...(root === undefined ? [] : ['--root', root]),
      ...(wait === undefined ? [] : ['--wait', wait]),
      'upgrade',
      path.join(folder, 'institute'),
    ])
    process.stdout.write(stdout)
    process.stderr.write(stderr)
    if (status === 0) return
    throw (
      saidOfRoom(stderr) ??
      new UpdateRefused(/Going back to /.test(stderr) ? 'went_back' : 'installer_refused', lastLineOf(stderr))
    )
  }

  /** Takes the wish away first, as its owner: whatever happens, it is not asked for again. */
  #takeWish({ uid, gid }: { uid: number; gid: number }): void {
    const isRoot = process.getuid?.() === 0
    spawnSync('rm', ['-rf', '--', stagedIn(this.#how.dataDir).wanted], {
      env: environmentForOthers(),
      ...(isRoot && { uid, gid }),
    })
  }

  run(): Outcome['state'] {
    try {
      const owner = statSync(this.#how.dataDir)
      this.#takeWish(owner)
      rmSync(this.#mine, { recursive: true, force: true })
      mkdirSync(this.#mine, { mode: 0o700 })
      const { offer, keys } = this.#readPapers(owner.uid)
      this.#version = offer.version
      this.#say({ state: 'applying' })
      assertRoomNow(this.#how.programDir, offer.file.size)
      this.#install(this.#unpack(offer, { owner: owner.uid, keys }))
      this.#say({ state: 'ok' })
      return 'ok'
    } catch (error) {
      const { reason, detail } =
        error instanceof UpdateRefused
          ? error
          : new UpdateRefused(isFull(error) ? 'disk_full' : 'malformed', String(error))
      // What it copied may have filled the disk.
      rmSync(this.#mine, { recursive: true, force: true })
      this.#say({ state: 'failed', reason, detail })
      process.stderr.write(`The update was not put in: ${reason}${detail === '' ? '' : `, ${detail}`}\n`)
      return 'failed'
    } finally {
      rmSync(this.#mine, { recursive: true, force: true })
    }
  }
}

/**
 * Puts in what the service has laid. It is run as root, from institute-update.service or by an administrator: what lies in the
 * service's folder is not trusted, but copied to where only root writes, looked at again with the keys of the version that is
 * installed, and given to install.sh of the release itself, which goes back when the new version does not answer.
 */
export const applyStaged = (how: Applying): Outcome['state'] => new Applier(how).run()
