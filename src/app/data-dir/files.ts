import path from 'node:path'
import { DiskFiles } from '#ports/files/disk.ts'
import type { FileStore } from '#ports/files/port.ts'
import type { Config } from '#app/config/config.ts'
import { FILES } from './layout.ts'

/** The store of the uploaded files of a data directory. */
export const filesOf = ({ dataDir }: Pick<Config, 'dataDir'>): FileStore => new DiskFiles(path.join(dataDir, FILES))
