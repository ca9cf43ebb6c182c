import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { FileStore, StoragePlace } from '#ports/files/port.ts'

/** Where new files of the institute go: where it was moved to, or where those of the program do. */
export const homeOf = async (whole: ScopedDb, { home }: Pick<FileStore, 'home'>): Promise<StoragePlace> => {
  const moved = await whole.selectFrom('file_home').select('place').executeTakeFirst()
  return moved?.place ?? home
}
