import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'

const made: string[] = []

// Asked for here, when the file is loaded: what a test asks for while it runs, vitest does not do.
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

/** An empty folder that goes with the test file. */
export const makeFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'institute-cli-'))
  made.push(folder)
  return folder
}

/** Every file below `folder` but what holds it for a process, with its bytes: what must not change. */
export const contentOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.startsWith('.lock') && !/-(shm|wal)$/.test(name))
      .filter((name) => statSync(path.join(folder, name)).isFile())
      .toSorted()
      .map((name) => [name, readFileSync(path.join(folder, name)).toString('base64')]),
  )
