import { copyFileSync, cpSync, rmSync } from 'node:fs'
import path from 'node:path'
import { makeExecutable } from './executable.ts'
import { isForWindows, type Target } from './targets.ts'

const root = path.resolve(import.meta.dirname, '..')
const installer = path.join(root, 'installer')
export const FOR_WINDOWS = path.join(installer, 'windows')

/** Lays into a folder all that goes to a server: the executable, the licences of what it contains, and the installer. */
export const layDistribution = async (folder: string, target: Target): Promise<{ file: string; stripped: boolean }> => {
  const made = await makeExecutable('src/main.ts', folder, target)
  rmSync(path.join(folder, 'bundle'), { recursive: true })
  copyFileSync(path.join(root, 'LICENSE-NOTICE'), path.join(folder, 'LICENSE-NOTICE'))
  // Windows is set up by a program of its own, which build/windows-setup.ts makes.
  if (!isForWindows(target)) {
    cpSync(installer, folder, { recursive: true, filter: (name) => name !== FOR_WINDOWS })
  }
  return made
}
