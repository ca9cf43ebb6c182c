import { tmpdir } from 'node:os'

/**
 * The folder for databases that tests throw away. `npm test` names one in memory when there is room: a Postgres
 * database has a thousand files, which take twenty times as long to write to a disk.
 */
export const databaseFolder = (): string => process.env.TEST_DATABASES ?? tmpdir()
