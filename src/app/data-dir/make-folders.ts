import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

const isFolder = (name: string): boolean => statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false

/**
 * Makes a folder and its missing parents, mode 0700. Node's own recursive mkdir loops forever where no folder can be
 * made, such as below /proc.
 * @param folder an absolute path
 * @throws the system's error for the first folder that could not be made
 */
export const makeFolders = (folder: string): void => {
  if (isFolder(folder)) return
  const parent = path.dirname(folder)
  if (parent !== folder) makeFolders(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it in the meantime.
    if (!isFolder(folder)) throw error
  }
}
