import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DiskFiles } from '#ports/files/disk.ts'
import type { FileStore, StoragePlace } from '#ports/files/port.ts'
import { S3Files } from '#ports/files/s3/store.ts'
import { startS3rver, type TestStore } from '#kit/s3.ts'
import { startSwift, whyNoSwift } from '#kit/swift.ts'
import { volume } from '#kit/volume.ts'

/** The files of a folder and those below it. */
export const filesUnder = (root: string): string[] =>
  existsSync(root)
    ? readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
        statSync(path.join(root, name)).isFile(),
      )
    : []

interface Opened {
  store: FileStore
  /** All files that it contains. */
  held: () => Promise<string[]>
}

export interface Adapter {
  name: string
  place: StoragePlace
  /** Why it cannot be tried here. */
  why?: (() => string | undefined) | undefined
  /**
   * Its server cannot list what was begun, sends all for a range that ends with byte 0, refuses names beyond ASCII, and
   * writes two files under one name into each other.
   */
  isRough?: boolean
  /** Starts what is behind the stores. @returns how to open an empty one */
  start: () => Promise<{ open: () => Promise<Opened>; end: () => Promise<void> }>
}

const bucketOf = (start: () => Promise<TestStore>) => async () => {
  const server = await start()
  const open = async (): Promise<Opened> => {
    const store = new S3Files(await server.emptyBucket())
    return { store, held: server.held }
  }
  return { open, end: server.close }
}

const needsFull = (): string | undefined =>
  volume(false, true) ? whyNoSwift() : 'swift takes long to start: TEST_VOLUME=full tries it'

/** Every adapter of the port. */
export const adapters: Adapter[] = [
  {
    name: 'disk',
    place: 'disk',
    start: async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'institute-files-'))
      let opened = 0
      return {
        open: async () => {
          const root = path.join(folder, String((opened += 1)), 'files')
          return { store: new DiskFiles(root), held: async () => filesUnder(root) }
        },
        end: async () => rmSync(folder, { recursive: true, force: true }),
      }
    },
  },
  { name: 'S3: s3rver', place: 's3', isRough: true, start: bucketOf(startS3rver) },
  { name: 'S3: swift', place: 's3', why: needsFull, start: bucketOf(startSwift) },
]
