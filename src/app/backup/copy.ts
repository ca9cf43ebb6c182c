import { createReadStream, existsSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { SYSTEM } from '#executable/system-words.ts'
import { PARTIAL } from '#app/data-dir/unfinished.ts'
import { writeWhole } from './write-whole.ts'

export interface FolderCopy {
  /** The backup. */
  file: string
  folder: string
  dataDir: string
  /** Names of older copies in the folder, which are removed once this one is there. */
  remove: string[]
}

const sayWhatIsWrong = (error: unknown, folder: string): string => {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') return `${folder} (INSTITUTE_BACKUP_TO) is full`
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') {
    return `${folder} (INSTITUTE_BACKUP_TO) may not be written: ${SYSTEM.writable(folder)}`
  }
  return `${folder} (INSTITUTE_BACKUP_TO): ${message}`
}

/** A share that is not mounted is an empty folder on the server's own disk: a copy there fills it and saves nothing. */
const assertElsewhere = (folder: string, dataDir: string): void => {
  if (!existsSync(folder)) throw new Error(`there is no folder ${folder} (INSTITUTE_BACKUP_TO): is the share mounted?`)
  if (statSync(folder).dev === statSync(dataDir).dev) {
    throw new Error(
      `${folder} (INSTITUTE_BACKUP_TO) is on the same disk as the data directory, and no copy elsewhere: is the share mounted?`,
    )
  }
}

/**
 * Copies a backup into a folder on another disk, under its own name, whole or not at all, and removes what is too old
 * there.
 * @throws an Error that says what is wrong with the folder
 */
export const copyToFolder = async ({ file, folder, dataDir, remove }: FolderCopy): Promise<void> => {
  assertElsewhere(folder, dataDir)
  try {
    await writeWhole(createReadStream(file), path.join(folder, path.basename(file)))
    for (const name of remove) {
      rmSync(path.join(folder, name), { force: true })
      rmSync(path.join(folder, `${name}${PARTIAL}`), { force: true })
    }
  } catch (error) {
    throw new Error(sayWhatIsWrong(error, folder), { cause: error })
  }
}
