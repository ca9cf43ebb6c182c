import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { MACHINE_CODE } from '../src/executable/paper-assets.ts'
import { FOR_EVERY_X64 } from '../src/ports/papers/typst/machine-code.ts'
import { bundle, compressZstd } from './bundle.ts'
import { hostTarget, programFile, runtimeOf, type Target } from './targets.ts'

const root = path.resolve(import.meta.dirname, '..')
/** Those of the binutils for another machine. */
const STRIP_ELSEWHERE: Partial<Record<Target, string>> = {
  'linux-x64': 'x86_64-linux-gnu-strip',
  'linux-arm64': 'aarch64-linux-gnu-strip',
}
const postject = path.join(root, 'node_modules/postject/dist/cli.js')

/**
 * New objects of a busy server die young. V8 lets the space for them grow to three times 16 MB, and what it needs around
 * that with it; half of it costs no speed that can be measured, and saves a quarter of the memory under load. It begins
 * with all of it: grown from 1 MB, the space is cleaned eight times while the program starts, a sixth of that time.
 * Old objects are collected once there is half as much again as were left the last time, where V8 would wait for up to
 * four times as much: under load that is 90 MB less, for no more processor time.
 */
const RUNTIME_OPTIONS = ['--max-semi-space-size=8', '--min-semi-space-size=8', '--heap-growing-percent=50']

/** Without it, the order of V8's tables, and so the bytes, would differ each time. */
const FIXED_SEED = '--random-seed=1'

/**
 * Makes `<folder>/institute`, for Windows `institute.exe`: the program as a single file for a platform, from the pinned runtime, the bundle and the
 * assets (Node's "single executable application"). pkg is not used: its public interface supports neither assets nor a
 * code cache nor a choice of the base runtime, and its enhanced mode fails without a HOME. Its simple mode does the
 * same as this function. It needs no network, except to fetch the runtime of another platform once. The same commit
 * always gives the same bytes, in any folder, if `strip` comes from the same binutils.
 * @param entry the entry module of the program, relative to the checkout
 * @param folder an absolute path; its subfolder `bundle` is replaced, and contains the parts of the executable
 * @param target the platform; default: this one
 * @returns the path of the executable, and whether none of the runtime's symbols are left, for want of `strip`
 * @throws Error on another platform, or when a step fails
 */
export async function makeExecutable(
  entry: string,
  folder: string,
  target: Target = hostTarget(),
): Promise<{ file: string; stripped: boolean }> {
  const runtime = await runtimeOf(target)
  const parts = path.join(folder, 'bundle')
  rmSync(parts, { recursive: true, force: true })
  mkdirSync(parts, { recursive: true })
  const blob = await prepareBlob(parts, await bundle(entry, parts, target), target)

  const unfinished = path.join(parts, programFile('institute', target))
  copyFileSync(runtime, unfinished)
  const stripped = strip(unfinished, target)
  inject(unfinished, blob)
  chmodSync(unfinished, 0o755)
  const file = path.join(folder, path.basename(unfinished))
  // Write a copy: the page cache holds a file that was written at once in large pages, and then counts 20 MB more as
  // resident for each process that runs it. Remove the old file first, because it may be running.
  rmSync(file, { force: true })
  copyFileSync(unfinished, file)
  rmSync(unfinished)
  return { file, stripped }
}

/**
 * The same version of the runtime that reads the blob writes it, because the format changes between patch releases.
 * Relative paths and a fixed hash seed keep the bytes reproducible.
 */
async function prepareBlob(folder: string, assets: Record<string, string>, target: Target): Promise<string> {
  const runtime = await runtimeOf(hostTarget())
  const config = {
    main: 'loader.cjs',
    output: 'institute.blob',
    disableExperimentalSEAWarning: true,
    execArgv: RUNTIME_OPTIONS,
    assets: {
      ...assets,
      ...compressProgram(folder, assets, { runtime, target }),
      ...(target === hostTarget() && { [MACHINE_CODE]: compilePapers(folder, runtime) }),
    },
  }
  copyFileSync(path.join(import.meta.dirname, 'loader.cjs'), path.join(folder, config.main))
  writeFileSync(path.join(folder, 'sea-config.json'), JSON.stringify(config, null, 2))
  const args = [FIXED_SEED, '--experimental-sea-config', 'sea-config.json']
  execFileSync(runtime, args, { cwd: folder, env: {}, stdio: 'pipe' })
  return path.join(folder, config.output)
}

/**
 * The program and its code cache, compressed: 10 MB less, unpacked in 15 ms.
 * @param others the other assets, which the program finds when it is run for the cache
 * @returns their names as assets → paths relative to `folder`
 */
function compressProgram(
  folder: string,
  others: Record<string, string>,
  { runtime, target }: { runtime: string; target: Target },
): Record<string, string> {
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(path.join(folder, 'institute.cjs'), 'latin1')}\n})`
  writeFileSync(path.join(folder, 'source.cjs'), source)
  const assets: Record<string, string> = {}
  const lay = (name: string, file: string): void => {
    assets[`program/${name}`] = `${file}.zst`
    writeFileSync(path.join(folder, `${file}.zst`), compressZstd(readFileSync(path.join(folder, file))))
  }

  lay('source', 'source.cjs')
  // Machine code: another machine would refuse it, and compile anew.
  if (target !== hostTarget()) return assets
  writeFileSync(path.join(folder, 'assets.json'), JSON.stringify(others))
  const run = (script: string, ...args: string[]): void => {
    const given = [FIXED_SEED, ...RUNTIME_OPTIONS, path.join(import.meta.dirname, script), 'source.cjs', 'source.cache']
    execFileSync(runtime, [...given, ...args], { cwd: folder, env: {}, stdio: 'pipe' })
  }
  // The first start makes the database: the cache is that of the second, as of every later one.
  for (let starts = 0; starts < 2; starts += 1) run('code-cache.ts', 'assets.json', 'data', 'serve')
  run('settled-code-cache.ts')
  lay('code-cache', 'source.cache')
  return assets
}

/** Of two, one in 256 does not differ in what is left to chance. */
const RUNS = 4

/** A process makes its first paper in a third of the time. @returns a path relative to `folder` */
function compilePapers(folder: string, runtime: string): string {
  const file = 'papers.code'
  const run = (task: string, options: readonly string[]): void => {
    const args = [FIXED_SEED, ...options, path.join(import.meta.dirname, 'paper-code.ts'), task, file]
    execFileSync(runtime, args, { cwd: folder, env: {}, stdio: 'pipe' })
  }
  const made = (): Buffer => {
    run('make', process.arch === 'x64' ? FOR_EVERY_X64 : [])
    return readFileSync(path.join(folder, file))
  }
  const code = made()
  let isSettled = false
  for (let runs = 1; runs < RUNS && !isSettled; runs += 1) isSettled = settle(code, made())
  writeFileSync(path.join(folder, file), code)
  run('try', RUNTIME_OPTIONS)
  writeFileSync(path.join(folder, `${file}.zst`), compressZstd(code))
  return `${file}.zst`
}

/**
 * Where machine code had an address, V8 writes in its first half a number in place of it, and leaves its second half, which the
 * system chose by chance. @returns whether they differed in that
 */
function settle(code: Buffer, again: Buffer): boolean {
  if (code.length !== again.length) throw new Error('V8 compiles the papers in another way each time')
  let differed = false
  for (let at = 0; at < code.length; at += 1) {
    if (code[at] === again[at]) continue
    code.fill(0, at, at + 2)
    at += 1
    differed = true
  }
  return differed
}

/** Removes the symbols, which nothing reads at run time: 18 MB. */
function strip(file: string, target: Target): boolean {
  const tool = target === hostTarget() ? 'strip' : STRIP_ELSEWHERE[target]
  // That for Windows has them in a file of its own.
  if (tool === undefined) return true
  try {
    execFileSync(tool, [file], { stdio: 'pipe' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

function inject(file: string, blob: string): void {
  const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
  const args = [postject, file, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse]
  // Its warnings about section names only concern debuggers. If it fails, the error contains the whole output.
  execFileSync(process.execPath, args, { stdio: 'pipe' })
}
