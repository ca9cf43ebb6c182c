import {
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
  type Stats,
} from 'node:fs'
import path from 'node:path'
import { isCopied, isScratch } from '#app/data-dir/layout.ts'

const hasCode = (error: unknown, ...codes: string[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException).code ?? '')

/**
 * Follows links. @returns undefined when the file was removed after its folder was listed @throws an Error for a broken
 * link
 */
const statsOf = (file: string): Stats | undefined => {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found || !lstatSync(file, { throwIfNoEntry: false })) return found
  throw new Error(
    `${file} is a link to ${readlinkSync(file)}, which is not there: bring that back, or remove the link.`,
  )
}

/**
 * Hard-links the file to another name, or copies it where the file system cannot link. A link is enough, because files
 * are never changed in place.
 */
const linkOrCopy = (from: string, to: string): void => {
  try {
    // For a symbolic link, keep the file it points to: the link itself would mean nothing elsewhere.
    const real = realpathSync(from)
    try {
      linkSync(real, to)
    } catch (error) {
      if (!hasCode(error, 'EPERM', 'EXDEV', 'ENOTSUP', 'EMLINK')) throw error
      copyFileSync(real, to)
    }
  } catch (error) {
    // The file was removed after its folder was listed, so it was not there at the moment of the backup.
    if (!hasCode(error, 'ENOENT')) throw error
  }
}

const isWithin = (inner: string, outer: string): boolean =>
  `${inner}${path.sep}`.startsWith(outer.endsWith(path.sep) ? outer : `${outer}${path.sep}`)

/**
 * Collects everything that a backup of `dataDir` holds beside the database, under the same names in `to`. Follows
 * links.
 * @returns the paths that were left out because they hold no bytes: pipes, sockets, devices
 * @throws an Error for a broken link, or a link to a folder that contains the link itself
 */
export const collectFiles = (dataDir: string, to: string): string[] => {
  const leftOut: string[] = []
  const place = (from: string, target: string, above: readonly string[]): void => {
    const stats = statsOf(from)
    if (stats?.isDirectory()) {
      const real = realpathSync(from)
      if (above.some((folder) => isWithin(folder, real)))
        throw new Error(`${from} is a link to ${real}, in which it lies itself: remove it.`)
      mkdirSync(target)
      for (const name of readdirSync(from).filter((one) => !isScratch(one)))
        place(path.join(from, name), path.join(target, name), [...above, real])
    } else if (stats?.isFile()) {
      linkOrCopy(from, target)
    } else if (stats) {
      leftOut.push(from)
    }
  }
  const root = realpathSync(dataDir)
  for (const name of readdirSync(dataDir).filter(isCopied)) place(path.join(dataDir, name), path.join(to, name), [root])
  return leftOut
}
