import { parentPort, workerData } from 'node:worker_threads'
import { openWriter } from '#db/sqlite.ts'
import { loadNative } from './native.ts'

/** A thread with a connection of its own, which answers every `checkpoint`, until its `end`. */
const { dataDir, file } = workerData as { dataDir: string; file: string }
loadNative(dataDir)
const raw = openWriter(file, { mustExist: true })
parentPort?.on('message', (message: 'checkpoint' | 'end') => {
  if (message === 'end') {
    raw.close()
    parentPort?.close()
    return
  }
  // Passive: waits for nobody, and copies what no reader holds up.
  raw.pragma('wal_checkpoint(PASSIVE)')
  parentPort?.postMessage('done')
})
