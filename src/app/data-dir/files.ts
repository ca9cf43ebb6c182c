import path from 'node:path'
import { DiskFiles } from '#ports/files/disk.ts'
import { PlacedFiles } from '#ports/files/placed.ts'
import type { FileStore } from '#ports/files/port.ts'
import type { Config } from '#app/config/config.ts'
import { FILES } from './layout.ts'

const diskOf = (dataDir: string): DiskFiles => new DiskFiles(path.join(dataDir, FILES))

/** The store of the uploaded files of a data directory alone. */
export const filesOf = ({ dataDir }: Pick<Config, 'dataDir'>): FileStore => new PlacedFiles({ disk: diskOf(dataDir) })

/** The store of all uploaded files: those of the data directory, and of the bucket that the settings name. */
export const openFiles = async (config: Pick<Config, 'dataDir' | 's3'>): Promise<FileStore> => {
  if (config.s3 === undefined) return filesOf(config)
  const { S3Files } = await import('#ports/files/s3/store.ts')
  return new PlacedFiles({ disk: diskOf(config.dataDir), s3: new S3Files(config.s3) })
}
