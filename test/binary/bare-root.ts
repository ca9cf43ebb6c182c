import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject, onTestFinished } from 'vitest'

/** Where it is not `there`, tests are skipped for this `reason`. */
export const bareDebian = {
  there: inject('bareDebian') !== '',
  reason: 'needs root, debootstrap and a Debian mirror',
}

/** A copy of the bare Debian, removed after the test. */
export const copyOfDebian = (): string => {
  const debian = inject('bareDebian')
  const copy = `${debian}.${process.pid}`
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  // The copy consists of hard links: replace files in it, never write into them.
  execFileSync('cp', ['--archive', '--link', debian, copy])
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
