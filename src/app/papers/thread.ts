import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { once } from '#kernel/once.ts'
import type { Papers } from '#ports/papers/port.ts'
import { readAsset } from '#app/executable/assets.ts'
import { version } from '#app/executable/version.ts'
import { questionThread, type Bounds } from '#app/threads/questions.ts'
import { startThread } from '#app/threads/start-thread.ts'
import { TEMPLATE } from '#app/executable/paper-assets.ts'
import { isPrintable } from './logo.ts'
import type { PaperAnswer, PaperQuestion } from './paper.worker.ts'

/** The thread takes some 250 MB of memory, and half a megabyte more with each paper, which its compiler never gives back. */
const BOUNDS: Bounds = { runMillis: 30_000, idleMillis: 60_000, answers: 200, waiting: 64 }

const template = once(() => readAsset(TEMPLATE))

/** Makes papers in a worker thread, one after the other. It starts with the first one. */
export const papersThread = (log: Logger, bounds: Partial<Bounds> = {}): Papers => {
  const { ask, close } = questionThread({
    name: 'papers',
    start: () => startThread('app/papers/paper.worker.ts', {}),
    result: (answer: PaperAnswer) => {
      if ('pdf' in answer) return Buffer.from(answer.pdf.buffer)
      throw new Error(`a paper could not be made: ${answer.error}`)
    },
    about: ({ paper }: Exclude<PaperQuestion, 'end'>) => ({ characters: paper.length }),
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
