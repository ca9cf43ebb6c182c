import type { Examples, World } from '#kit/examples.ts'
import { newPhone } from './people.ts'
import { uploaded } from '#kit/files.ts'

/** @returns the id of a complete CSV file */
export const newTable = async ({ app, owner }: Pick<World, 'app' | 'owner'>, csv: string): Promise<string> => {
  const bytes = Buffer.from(csv)
  const { body } = await uploaded(app, owner, { bytes, mimeType: 'text/csv', originalName: 'students.csv' })
  return body.id
}

const table = (): string => `First name,Last name,Phone\r\nDana,Levi,${newPhone()}\r\nOmar,,${newPhone()}\r\n`

/** Few imports of an institute may wait: those of former examples go, but for the last ones. */
const makeRoom = async ({ owner }: World): Promise<void> => {
  const { body } = await owner.get('/imports?limit=25')
  const waiting = (body.data as { id: string; status: string }[]).filter(({ status }) => status === 'queued')
  for (const { id } of waiting.slice(4)) await owner.delete(`/imports/${id}`)
}

const newImport = async (world: World): Promise<string> => {
  await makeRoom(world)
  const fileId = await newTable(world, table())
  const { body } = await world.owner.post('/imports', { kind: 'students', fileId })
  return body.id
}

export const importExamples: Examples = {
  'imports.create': {
    make: async (world) => {
      await makeRoom(world)
      return { body: { kind: 'students', fileId: await newTable(world, table()), dryRun: true } }
    },
    branchless: 'what it reads is a file that the caller uploaded',
  },
  'imports.list': async () => ({}),
  'imports.read': async (world) => ({ params: { id: await newImport(world) } }),
  'imports.refused': async (world) => ({ params: { id: await newImport(world) } }),
  'imports.delete': async (world) => ({ params: { id: await newImport(world) } }),
}
