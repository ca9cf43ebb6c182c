import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { SmallDisk } from '#kit/small-disk.ts'

/** Mounts a small disk under a folder, until the test has ended. */
export const mountSmallDisk = (megabytes: number): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'institute-disk-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return new SmallDisk(folder, megabytes).folder
}
