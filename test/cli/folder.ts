import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const made: string[] = []

/** Removes what `makeFolder` has made; test/cli/folder-setup.ts does it after each file. */
export const removeFolders = (): void => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
}

/** An empty folder that is removed after the test file. */
export const makeFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'institute-cli-'))
  made.push(folder)
  return folder
}

/** The bytes of every file below `folder` except its locks, to compare that nothing changed. */
export const contentOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.startsWith('.lock') && !/-(shm|wal)$/.test(name))
      .filter((name) => statSync(path.join(folder, name)).isFile())
      .toSorted()
      .map((name) => [name, readFileSync(path.join(folder, name)).toString('base64')]),
  )
