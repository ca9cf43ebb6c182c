/** How often to wait for a reader that is behind, unless it did not take the lines before either. */
const MAX_WAITS = 10
const WAIT_MILLIS = 10

const clock = new Int32Array(new SharedArrayBuffer(4))

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error)

const LINE_END = 0x0a

const countLines = (bytes: Buffer): number => {
  let count = 0
  for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, at + 1)) count += 1
  return count
}

export interface LineTarget {
  /** Writes some of the bytes at once. @returns how many @throws when it can write none */
  write(bytes: Buffer): number
  /** The line that says how many lines were lost, and why. */
  notice(lost: number, reason: string): string
}

/**
 * Writes lines to a place that may be full or gone. Lines that cannot be written are counted and not kept: the program
 * goes on, in bounded memory. Before the next lines that can be written, a line says how many are missing.
 */
export class LineWriter {
  readonly #target: LineTarget
  #missing = 0
  #lost = 0
  #reason: string | undefined
  #isWithinLine = false

  constructor(target: LineTarget) {
    this.#target = target
  }

  /** How many lines were lost since the start. */
  get lost(): number {
    return this.#lost
  }

  /** @param lines whole lines, each with its end */
  write(lines: string): void {
    const bytes = Buffer.from(lines)
    if (!this.#resume()) {
      this.#lose(countLines(bytes))
      return
    }
    const rest = this.#push(bytes)
    if (rest.length > 0) this.#lose(countLines(rest))
  }

  /** @returns whether lines can be written, as far as is known */
  #resume(): boolean {
    if (this.#reason === undefined) return true
    const end = this.#isWithinLine ? '\n' : ''
    const notice = this.#missing > 0 ? this.#target.notice(this.#missing, this.#reason) : ''
    if (this.#push(Buffer.from(end + notice)).length > 0) return false
    this.#reason = undefined
    this.#missing = 0
    return true
  }

  #lose(lines: number): void {
    this.#missing += lines
    this.#lost += lines
  }

  /** @returns the bytes that were not written */
  #push(bytes: Buffer): Buffer {
    let rest = bytes
    let waits = this.#reason === undefined ? MAX_WAITS : 0
    while (rest.length > 0) {
      try {
        const written = this.#target.write(rest)
        if (written > 0) this.#isWithinLine = rest[written - 1] !== LINE_END
        rest = rest.subarray(written)
      } catch (error) {
        if (codeOf(error) === 'EAGAIN' && waits > 0) {
          waits -= 1
          Atomics.wait(clock, 0, 0, WAIT_MILLIS)
          continue
        }
        this.#reason = codeOf(error)
        break
      }
    }
    return rest
  }
}
