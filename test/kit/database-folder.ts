import { tmpdir } from 'node:os'

/**
 * Where tests keep databases that need not outlive them. `npm test` names a folder in memory where there is room for it:
 * a database of Postgres is a thousand files, which take twenty times as long to make on a disk.
 */
export const databaseFolder = (): string => process.env.TEST_DATABASES ?? tmpdir()
