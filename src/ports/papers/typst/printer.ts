import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { startScript } from '#executable/child-process.ts'
import { readAsset } from '#executable/assets.ts'
import { WAITING, helperLine, helpingProcess, type Bounds } from '#executable/helper.ts'
import { TEMPLATE } from '#executable/paper-assets.ts'
import { version } from '#executable/version.ts'
import type { Requester } from '#kernel/contract/fair-line.ts'
import { once } from '#kernel/basics/once.ts'
import { PapersWaiting, type Papers } from '../port.ts'
import { isPrintable } from './logo.ts'
import { COMPILES } from './machine-code.ts'
import type { PaperAnswer, PaperQuestion } from './paper.process.ts'

/**
 * The process takes some 180 MB of memory, and half a megabyte more with each paper, which its compiler never gives
 * back. Of a thread, half of it would stay with the server when the thread has ended.
 */
const BOUNDS: Bounds = { runMillis: 30_000, idleMillis: 60_000, answers: 200, waiting: WAITING }

const PROCESS = 'ports/papers/typst/paper.process.ts'

/** How machine code ends a process whose processor or system it does not suit after all. */
const FAULTS: ReadonlySet<NodeJS.Signals | null> = new Set(['SIGILL', 'SIGSEGV', 'SIGBUS', 'SIGTRAP', 'SIGABRT'])

const template = once(() => readAsset(TEMPLATE))

interface PrinterOptions {
  log: Logger
  /** For whom a paper is asked. */
  requester: () => Requester
  bounds?: Partial<Bounds>
}

/** Makes papers in a process of its own, one after the other. It starts with the first one. */
export const startPrinter = ({ log, requester, bounds }: PrinterOptions): Papers => {
  let compiles = false
  const start = () => {
    const child = startScript(PROCESS, ...(compiles ? [COMPILES] : []))
    child.once('exit', (_, signal) => {
      compiles ||= FAULTS.has(signal)
    })
    return child
  }
  const { ask, close } = helperLine({
    name: 'papers',
    start: () => helpingProcess(start()),
    result: (answer: PaperAnswer) => {
      if ('pdf' in answer) return Buffer.from(answer.pdf.buffer, answer.pdf.byteOffset, answer.pdf.byteLength)
      throw new Error(`a paper could not be made: ${answer.error}`)
    },
    about: ({ paper }: Exclude<PaperQuestion, 'end'>) => ({ characters: paper.length }),
    refusal: PapersWaiting,
    requester,
    bounds: { ...BOUNDS, ...bounds },
    log,
  })
  return {
    etag: (paper, logo) => {
      const hash = createHash('sha256').update(version).update(template()).update(JSON.stringify(paper))
      return `"${hash.update(logo ?? '').digest('base64url')}"`
    },
    print: async (paper, logo) => {
      const question = { paper: JSON.stringify(paper), logo: logo && isPrintable(logo) ? new Uint8Array(logo) : null }
      const before = compiles
      return ask(question).catch((error: unknown) => {
        if (compiles === before) throw error
        return ask(question)
      })
    },
    close,
  }
}
