import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const RECORDER = (process.env.PATH ?? '')
  .split(path.delimiter)
  .map((folder) => path.join(folder, 'strace'))
  .find((file) => existsSync(file))

const SECTOR = 512
/** More than any single write of a database page. */
const WRITE_BYTES = 70_000

type Write = { offset: number; bytes: Buffer } | { length: number }

/** A file on a disk with a write cache: the synced content, and the writes since, in order. */
class CachedFile {
  #safe: Buffer
  #waiting: Write[] = []
  /** How many writes there were. */
  written = 0

  constructor(file: string) {
    this.#safe = existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
  }

  get waiting(): number {
    return this.#waiting.length
  }

  write(write: Write): void {
    this.#waiting.push(write)
    this.written += 1
  }

  /** Marks the first `count` writes as synced. */
  sync(count: number): void {
    const safe = this.written - this.#waiting.length
    for (const write of this.#waiting.splice(0, Math.max(0, count - safe))) this.#apply(write)
  }

  /** Cuts the power: of each unsynced write, some sectors arrive. @returns the content of the disk afterwards */
  cut(arrives: () => boolean): Buffer {
    for (const write of this.#waiting.splice(0)) {
      if ('length' in write) {
        if (arrives()) this.#apply(write)
        continue
      }
      for (let start = 0; start < write.bytes.length; start += SECTOR) {
        const bytes = write.bytes.subarray(start, start + SECTOR)
        if (arrives()) this.#apply({ offset: write.offset + start, bytes })
      }
    }
    return this.#safe
  }

  #apply(write: Write): void {
    if ('length' in write) {
      this.#grow(write.length)
      this.#safe = this.#safe.subarray(0, write.length)
      return
    }
    this.#grow(write.offset + write.bytes.length)
    write.bytes.copy(this.#safe, write.offset)
  }

  #grow(length: number): void {
    if (length > this.#safe.length) this.#safe = Buffer.concat([this.#safe, Buffer.alloc(length - this.#safe.length)])
  }
}

const unescape = (text: string): Buffer => Buffer.from(text.replaceAll(String.raw`\x`, ''), 'hex')

interface Call {
  name: string
  file: string
  /** The rest of the line. */
  rest: string
  /** How many writes of the file had ended when this call began. */
  before: number
}

/**
 * The disk under a program's database, whose power can be cut: writes that the program has not synced are lost, or
 * arrive in part. It learns the writes and syncs from a record of the program's system calls (strace).
 */
export class Disk {
  static readonly isThere = RECORDER !== undefined
  readonly #names: string[]
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'institute-disk-'))
  readonly #files = new Map<string, CachedFile>()
  /** How many unsynced writes the cuts found; some, all or none of them arrived. */
  unsafe = 0

  constructor(dataDir: string) {
    this.#names = ['', '-wal', '-journal'].map((ending) => path.join(dataDir, `institute.db${ending}`))
  }

  get #record(): string {
    return path.join(this.#folder, 'record')
  }

  /** The command that records a program which starts now; all of the disk's content counts as synced. */
  recorder(): string[] {
    rmSync(this.#record, { force: true })
    this.#files.clear()
    for (const file of this.#names) this.#files.set(file, new CachedFile(file))
    const calls = 'pwrite64,write,writev,pwritev,ftruncate,fallocate,fsync,fdatasync,unlink,rename'
    const files = this.#names.flatMap((file) => ['-P', file])
    const how = ['-D', '-f', '-y', '-xx', '-q', '-s', String(WRITE_BYTES), '-e', `trace=${calls}`, '-o', this.#record]
    return [RECORDER as string, ...how, ...files]
  }

  /** Cuts the power of a program that was just killed. */
  async cut(): Promise<void> {
    await this.#replay()
    const share = Math.random()
    const arrives = [() => false, () => true, () => Math.random() < share][
      Math.floor(Math.random() * 3)
    ] as () => boolean
    for (const [file, cached] of this.#files) {
      this.unsafe += cached.waiting
      const left = cached.cut(arrives)
      if (left.length > 0) writeFileSync(file, left)
      else rmSync(file, { force: true })
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #replay(): Promise<void> {
    let text = ''
    // strace ends after the program.
    for (let tries = 0; !text.endsWith('+++ killed by SIGKILL +++\n'); tries += 1) {
      // The program was killed before strace attached: it had not begun.
      if (tries > 100 && text === '') return
      if (tries > 100) throw new Error(`The record of system calls has no end: ${text.slice(-300)}`)
      await pause(50)
      text = existsSync(this.#record) ? readFileSync(this.#record, 'latin1') : ''
    }
    const begun = new Map<string, Call>()
    for (const line of text.split('\n')) {
      const [, thread = '', resumed, name = '', file = '', rest = ''] =
        /^(\d+) +(<\.\.\. )?(\w+)(?:\((?:\d+<)?"?((?:\\x[0-9a-f]{2})+)[">])?(.*)$/.exec(line) ?? []
      if (thread === '' || line.includes(' +++ ') || line.includes(' --- ')) continue
      let call = begun.get(thread)
      if (!resumed) {
        const where = unescape(file).toString()
        call = { name, file: where, rest, before: this.#files.get(where)?.written ?? 0 }
        if (line.endsWith('<unfinished ...>')) {
          begun.set(thread, call)
          continue
        }
      }
      begun.delete(thread)
      if (call && !/ = -1 /.test(line)) this.#ended(call)
    }
  }

  #ended({ name, file, rest, before }: Call): void {
    const cached = this.#files.get(file)
    if (!cached) return
    if (name === 'fsync' || name === 'fdatasync') return cached.sync(before)
    if (name === 'unlink') {
      this.#files.set(file, new CachedFile(''))
      return
    }
    const [, bytes, offset] = /^, "((?:\\x[0-9a-f]{2})*)", \d+, (\d+)/.exec(rest) ?? []
    if (name === 'pwrite64' && bytes !== undefined) {
      cached.write({ bytes: unescape(bytes), offset: Number(offset) })
      return
    }
    const [, length] = /^, (\d+)/.exec(rest) ?? []
    if (name !== 'ftruncate' || length === undefined) throw new Error(`${name} of ${file} is not understood`)
    cached.write({ length: Number(length) })
  }
}
