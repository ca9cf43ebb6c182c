import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
const STEPS = 'migrations/index.ts'

const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()

/**
 * The version before this one: the newest release, or, before there is one, the last commit whose schema was another one.
 * @throws an Error where the history of the repository is not there
 */
const formerCommit = (): string => {
  const [release] = git('tag', '--list', 'v*', '--sort=-version:refname', '--no-contains', 'HEAD').split('\n')
  if (release) return git('rev-parse', `${release}^{commit}`)
  return git('rev-parse', `${git('log', '-1', '--format=%H', '--', STEPS)}^`)
}

/**
 * The executable of the version before this one, packaged from its sources with the packages of this checkout. It takes a
 * minute, once for each version.
 * @returns its path
 */
export const formerExecutable = (): string => {
  const commit = formerCommit()
  const folder = path.join(ROOT, '.cache/former', commit)
  const executable = path.join(folder, 'dist/institute')
  if (existsSync(executable)) return executable
  mkdirSync(folder, { recursive: true })
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 1024 ** 3 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  const packages = path.join(folder, 'node_modules')
  if (!existsSync(packages)) symlinkSync(path.join(ROOT, 'node_modules'), packages)
  execFileSync(process.execPath, ['build/package.ts'], { cwd: folder, stdio: 'ignore' })
  return executable
}
