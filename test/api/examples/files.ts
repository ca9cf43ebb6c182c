import type { Examples, World } from '#kit/examples.ts'
import { announced, partsOf, png, upload, uploaded } from '#kit/files.ts'
import { newStudent } from './people.ts'

/** @returns the id of a file that is attached to a student of the world's branch */
export const newFile = async (world: World): Promise<string> => {
  const { app, owner } = world
  const { body } = await uploaded(app, owner, { entityType: 'student', entityId: await newStudent(world) })
  return body.id
}

export const fileExamples: Examples = {
  'files.upload-url': {
    make: async () => ({ body: announced(png()) }),
    branchless: 'what is uploaded belongs to no branch until it is completed',
  },
  'files.complete': async (world) => ({
    body: {
      ...(await upload(world.app, world.owner, png())),
      entityType: 'student',
      entityId: await newStudent(world),
    },
  }),
  'files.read': async (world) => ({ params: { id: await newFile(world) } }),
  'files.of-record': async (world) => {
    const { body } = await world.owner.get(`/files/${await newFile(world)}`)
    return { params: { entityType: 'student', id: body.entityId } }
  },
  'files.send': async ({ app, owner }) => {
    const bytes = png()
    const { body } = await owner.post('/files/upload-url', announced(bytes))
    return { ...partsOf(body.uploadUrl), as: app, raw: bytes, headers: { 'content-type': 'image/png' } }
  },
  'files.fetch': async (world) => {
    const { body } = await world.owner.get(`/files/${await newFile(world)}`)
    return { ...partsOf(body.downloadUrl), as: world.app }
  },
  'files.delete': async (world) => ({ params: { id: await newFile(world) } }),
}
