import { parentPort, workerData } from 'node:worker_threads'
import { openWriter } from '#db/sqlite/sqlite.ts'
import { loadNative } from '#app/data-dir/native.ts'

/** The worker thread has its own connection. It runs one checkpoint for each `checkpoint` message, until `end`. */
const { dataDir, file } = workerData as { dataDir: string; file: string }
loadNative(dataDir)
const raw = openWriter(file, { mustExist: true })
parentPort?.on('message', (message: 'checkpoint' | 'end') => {
  if (message === 'end') {
    raw.close()
    parentPort?.close()
    return
  }
  // PASSIVE waits for nobody, and copies the pages that no reader still needs.
  raw.pragma('wal_checkpoint(PASSIVE)')
  parentPort?.postMessage('done')
})
