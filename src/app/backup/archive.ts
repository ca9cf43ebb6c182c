import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, readFileSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { create, extract } from 'tar'
import * as v from 'valibot'

/** A file that is no backup, or a damaged one; nothing was changed. */
export class BadBackup extends Error {
  constructor(why: string) {
    super(`This is not a whole backup of the institute: ${why}. Nothing was changed.`)
    this.name = 'BadBackup'
  }
}

export const MANIFEST = 'backup.json'
/** The folder of the archive in which everything lies as it lay in the data directory. */
export const CONTENT = 'data'

const Manifest = v.object({
  format: v.literal(1),
  /** The program that made it. */
  version: v.string(),
  createdAt: v.string(),
  files: v.array(v.object({ path: v.string(), size: v.number(), sha256: v.string() })),
})
export type Manifest = v.InferOutput<typeof Manifest>

const sha256 = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** Every file under `folder`, by its path there with `/`, in order. Done by hand: the executable has no recursive readdir. */
const filesUnder = async (folder: string, prefix = ''): Promise<string[]> => {
  const names = (await readdir(path.join(folder, prefix))).toSorted()
  const found = await Promise.all(
    names.map(async (name) => {
      const inner = prefix === '' ? name : `${prefix}/${name}`
      return statSync(path.join(folder, inner)).isDirectory() ? filesUnder(folder, inner) : [inner]
    }),
  )
  return found.flat()
}

/** Lists what lies under `folder`, for the manifest. */
export const inventory = async (folder: string): Promise<Manifest['files']> => {
  const files: Manifest['files'] = []
  // One after another: a hash reads the whole file.
  for (const name of await filesUnder(folder)) {
    const file = path.join(folder, name)
    files.push({ path: name, size: statSync(file).size, sha256: await sha256(file) })
  }
  return files
}

/** Packs manifest and content, which lie in `folder`, into the open file `handle`; it is on the disk then, and closed. */
export const pack = async (folder: string, handle: number): Promise<void> => {
  await pipeline(
    create({ gzip: true, portable: true, strict: true, cwd: folder }, [MANIFEST, CONTENT]),
    createWriteStream('', { fd: handle, flush: true }),
  )
}

const isOurs = (name: string): boolean =>
  name === MANIFEST || (name.startsWith(`${CONTENT}/`) && !name.split('/').includes('..'))

/** Errors of the machine (disk full, no permission) are told as they are; all others are the archive's. */
const isOfMachine = (error: unknown): boolean =>
  ['ENOSPC', 'EACCES', 'EPERM', 'EIO', 'EROFS', 'EDQUOT', 'EMFILE'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  )

/**
 * Unpacks the open file `handle`, and closes it, into the empty folder `folder` and checks every byte of it.
 * @throws BadBackup; then `folder` may hold parts
 */
export const unpack = async (handle: number, folder: string): Promise<Manifest> => {
  const strange: string[] = []
  try {
    await pipeline(
      createReadStream('', { fd: handle }),
      extract({
        cwd: folder,
        strict: true,
        noMtime: true,
        filter: (name, entry) => {
          const plain = 'type' in entry && (entry.type === 'File' || entry.type === 'Directory')
          const wanted = plain && isOurs(name)
          if (!wanted) strange.push(name)
          return wanted
        },
      }),
    )
  } catch (error) {
    if (isOfMachine(error)) throw error
    throw new BadBackup('it is cut short or damaged')
  }
  if (strange.length > 0) throw new BadBackup(`it holds something that does not belong there (${strange[0]})`)
  return checked(folder)
}

const checked = async (folder: string): Promise<Manifest> => {
  const manifest = readManifest(path.join(folder, MANIFEST))
  const found = new Map((await inventory(path.join(folder, CONTENT))).map((file) => [file.path, file]))
  for (const { path: name, size, sha256: expected } of manifest.files) {
    const file = found.get(name)
    if (!file) throw new BadBackup(`${name} is missing in it`)
    if (file.size !== size || file.sha256 !== expected) throw new BadBackup(`${name} is damaged in it`)
    found.delete(name)
  }
  const [extra] = found.keys()
  if (extra !== undefined) throw new BadBackup(`it does not list ${extra}, which it holds`)
  return manifest
}

const readManifest = (file: string): Manifest => {
  let text: unknown
  try {
    text = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new BadBackup('it says nothing about itself')
  }
  const read = v.safeParse(Manifest, text)
  if (!read.success) throw new BadBackup('it is of a kind that this version does not know')
  return read.output
}
