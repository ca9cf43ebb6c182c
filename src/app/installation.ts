import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import path from 'node:path'
import { isSea } from 'node:sea'
import type { Installation } from '#modules/setup/index.ts'
import { makesNightly, type Config } from './config/config.ts'
import { BACKUPS } from './data-dir/layout.ts'
import { commandLine } from './explain/command-line.ts'
import { lanUrls } from './process/lan-addresses.ts'

/** The paths and commands that the owner is shown. */
export const installationOf = (config: Config): Installation => ({
  dataDir: config.dataDir,
  backups: path.join(config.dataDir, BACKUPS),
  makesNightly: makesNightly(config),
  database: config.databaseUrl === undefined ? 'sqlite' : 'postgres',
  commandLine: commandLine(config, isSea()),
  signInUrl: config.signInUrl,
  addresses: () => lanUrls(config, networkInterfaces(), existsSync),
})
