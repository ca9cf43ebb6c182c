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
import type { PaperAnswer, PaperQuestion } from './paper.process.ts'

/**
 * The process takes some 180 MB of memory, and half a megabyte more with each paper, which its compiler never gives
 * back. Of a thread, half of it would stay with the server when the thread has ended.
 */
const BOUNDS: Bounds = { runMillis: 30_000, idleMillis: 60_000, answers: 200, waiting: WAITING }

const template = once(() => readAsset(TEMPLATE))

interface PrinterOptions {
  log: Logger
  /** For whom a paper is asked. */
  requester: () => Requester
  bounds?: Partial<Bounds>
}

/** Makes papers in a process of its own, one after the other. It starts with the first one. */
export const startPrinter = ({ log, requester, bounds }: PrinterOptions): Papers => {
  const { ask, close } = helperLine({
    name: 'papers',
    start: () => helpingProcess(startScript('ports/papers/typst/paper.process.ts')),
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
    print: (paper, logo) =>
      ask({ paper: JSON.stringify(paper), logo: logo && isPrintable(logo) ? new Uint8Array(logo) : null }),
    close,
  }
}
