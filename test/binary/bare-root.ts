import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished, vi, type TestContext } from 'vitest'
import { BARE_DEBIAN } from './bare-debian-setup.ts'

/** A copy of the bare Debian, removed after the test, which is skipped where there is none. */
export const copyOfDebian = async ({ skip }: Pick<TestContext, 'skip'>): Promise<string> => {
  const { folder, missing } = BARE_DEBIAN
  await vi.waitUntil(() => existsSync(folder) || existsSync(missing), { timeout: 120_000 })
  skip(!existsSync(folder), 'needs root, debootstrap and a Debian mirror')
  const copy = `${folder}.copy-${process.pid}`
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  // The copy consists of hard links: replace files in it, never write into them.
  execFileSync('cp', ['--archive', '--link', folder, copy])
  return copy
}

/** A root folder that holds only this system's C and C++ libraries, with which the executable is linked. */
export const rootOfLibraries = (executable: string): string => {
  const root = mkdtempSync(path.join(tmpdir(), 'institute-libraries-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const listed = execFileSync('ldd', [executable], { encoding: 'utf8' })
  for (const [library] of listed.matchAll(/\/\S+/g)) {
    mkdirSync(path.join(root, path.dirname(library)), { recursive: true })
    copyFileSync(library, path.join(root, library))
  }
  return root
}
