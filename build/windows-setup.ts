import { execFileSync, spawnSync } from 'node:child_process'
import path from 'node:path'
import { version } from '../src/executable/version.ts'
import { FOR_WINDOWS } from './distribution.ts'

/** What makes the host of the service, and what makes the set-up; both are packages of Debian. */
const COMPILER = 'x86_64-w64-mingw32-gcc'
const MAKER = 'makensis'
const PACKAGES: Readonly<Record<string, string>> = { [COMPILER]: 'gcc-mingw-w64-x86-64', [MAKER]: 'nsis' }

/** What has to be installed before a set-up for Windows can be made here: names of packages; none: it can be made. */
const missingForSetup = (): string[] =>
  [COMPILER, MAKER]
    .filter((tool) => spawnSync(tool, [tool === MAKER ? '-VERSION' : '--version'], { stdio: 'ignore' }).error)
    .map((tool) => PACKAGES[tool] as string)

/**
 * Makes the host of the service, and the set-up for Windows, where the tools are.
 * @param folder holds institute.exe and LICENSE-NOTICE; the host comes beside them
 * @param to the set-up's file
 * @param seconds that a version has until it serves: it may have a large database to bring to its own schema
 * @returns what became of it, in words @throws Error with what a tool said
 */
export const laySetup = (folder: string, to: string, { seconds = 180 } = {}): string => {
  const missing = missingForSetup()
  if (missing.length > 0)
    return `No set-up for Windows was made: apt-get install ${missing.join(' ')} has what makes it.`
  const host = path.join(folder, 'institute-host.exe')
  const flags = ['-Os', '-s', '-municode', '-Wall', '-Wextra', '-Werror', '-Wl,--no-insert-timestamp']
  execFileSync(COMPILER, [...flags, '-o', host, path.join(FOR_WINDOWS, 'host.c'), '-ladvapi32'], { stdio: 'pipe' })
  const given = [`-DVERSION=${version}`, `-DFILES=${folder}`, `-DOUT=${to}`, `-DSECONDS=${seconds}`]
  execFileSync(MAKER, ['-V2', '-WX', ...given, path.join(FOR_WINDOWS, 'setup.nsi')], { stdio: 'pipe' })
  return `${path.basename(to)} sets Institute up on Windows. No bought certificate signs it, so Windows warns of it.`
}
