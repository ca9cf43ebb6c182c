import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const RECORDER = (process.env.PATH ?? '')
  .split(path.delimiter)
  .map((folder) => path.join(folder, 'strace'))
  .find((file) => existsSync(file))

const SECTOR = 512
/** Longer than any write of a page. */
const WRITE_BYTES = 70_000

type Write = { offset: number; bytes: Buffer } | { length: number }

/** A file as a disk with a cache has it: what is safe, and what was written since, in order. */
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

  /** The first so many writes of all are safe. */
  sync(count: number): void {
    const safe = this.written - this.#waiting.length
    for (const write of this.#waiting.splice(0, Math.max(0, count - safe))) this.#apply(write)
  }

  /** The power is cut: of each write that waits, some sectors arrived. @returns what the disk has then */
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
  /** What follows the file. */
  rest: string
  /** How many writes of the file had ended when it began. */
  before: number
}

/**
 * The disk under a program's database, whose power can be cut: what the program wrote and did not wait for is lost, or
 * arrives in part. Knows by a record of the program's system calls (strace) what it wrote and what it waited for.
 */
export class Disk {
  static readonly isThere = RECORDER !== undefined
  readonly #names: string[]
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'institute-disk-'))
  readonly #files = new Map<string, CachedFile>()
  /** Writes that a cut found waiting: none of them arrived, or some, or all. */
  unsafe = 0

  constructor(dataDir: string) {
    this.#names = ['', '-wal', '-journal'].map((ending) => path.join(dataDir, `institute.db${ending}`))
  }

  get #record(): string {
    return path.join(this.#folder, 'record')
  }

  /** What goes before the command of a program that starts now; all that is on the disk is safe. */
  recorder(): string[] {
    rmSync(this.#record, { force: true })
    this.#files.clear()
    for (const file of this.#names) this.#files.set(file, new CachedFile(file))
    const calls = 'pwrite64,write,writev,pwritev,ftruncate,fallocate,fsync,fdatasync,unlink,rename'
    const files = this.#names.flatMap((file) => ['-P', file])
    const how = ['-D', '-f', '-y', '-xx', '-q', '-s', String(WRITE_BYTES), '-e', `trace=${calls}`, '-o', this.#record]
    return [RECORDER as string, ...how, ...files]
  }

  /** Cuts the power of a program that was killed just now. */
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
    // Whoever records ends after the program.
    for (let tries = 0; !text.endsWith('+++ killed by SIGKILL +++\n'); tries += 1) {
      // Killed before the recorder had it: it had not begun.
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
