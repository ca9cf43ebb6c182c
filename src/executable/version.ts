import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import manifest from '../../package.json' with { type: 'json' }

/** build/bundle.ts defines both; in a checkout neither exists. */
declare const INSTITUTE_VERSION: string | undefined
declare const INSTITUTE_COMMIT: string | null | undefined

/** The program's version, as in package.json; licence heartbeats, `version` and the OpenAPI document show it. */
export const version: string = typeof INSTITUTE_VERSION === 'string' ? INSTITUTE_VERSION : manifest.version

/**
 * The commit that the executable was built from, or that a checkout is at; null when unknown.
 * Ends in `-modified` when tracked files differed from it.
 */
export function commit(): string | null {
  return typeof INSTITUTE_COMMIT === 'undefined' ? checkoutCommit() : INSTITUTE_COMMIT
}

/** The version and the commit, in one line. */
export function versionLine(): string {
  const madeOf = commit()
  return madeOf === null ? version : `${version} (${madeOf})`
}

function checkoutCommit(): string | null {
  const root = path.resolve(import.meta.dirname, '../..')
  // A source archive that was unpacked inside another repository does not have that repository's commit.
  if (!existsSync(path.join(root, '.git'))) return null
  try {
    const describe = ['describe', '--always', '--exclude=*', '--abbrev=12', '--dirty=-modified']
    return execFileSync('git', describe, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return null
  }
}
