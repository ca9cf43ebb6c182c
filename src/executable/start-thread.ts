import path from 'node:path'
import { isSea } from 'node:sea'
import { Worker, type ResourceLimits } from 'node:worker_threads'
import { readAsset } from './assets.ts'

/**
 * Starts a worker thread that does not keep the process alive.
 * @param script its module, relative to src; build/bundle.ts bundles every `*.worker.ts`
 * @param workerData what the thread reads under this name
 * @param resourceLimits the memory that it may take; a thread that needs more fails
 */
export const startThread = (script: string, workerData: object, resourceLimits?: ResourceLimits): Worker => {
  const options = { workerData, execArgv: [], ...(resourceLimits && { resourceLimits }) }
  const worker = isSea()
    ? new Worker(readAsset(`scripts/${script}`).toString(), { ...options, eval: true })
    : new Worker(path.resolve(import.meta.dirname, '..', script), options)
  worker.unref()
  return worker
}
