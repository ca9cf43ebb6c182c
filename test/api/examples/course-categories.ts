import type { Examples, World } from '#kit/examples.ts'

const fresh = ({ serial }: World) => ({
  name: 'Languages',
  slug: `languages-${serial}-${Math.random().toString(36).slice(2)}`,
})

export const newCategory = async (world: World): Promise<string> =>
  (await world.owner.post('/course-categories', fresh(world))).body.id

const branchless = 'categories belong to the whole institute'

export const courseCategoryExamples: Examples = {
  'course-categories.tree': { make: async () => ({}), branchless },
  'course-categories.create': async (world) => ({ body: { ...fresh(world), parentId: await newCategory(world) } }),
  'course-categories.read': { make: async (world) => ({ params: { id: await newCategory(world) } }), branchless },
  'course-categories.update': async (world) => ({
    params: { id: await newCategory(world) },
    body: { parentId: await newCategory(world) },
  }),
  'course-categories.delete': async (world) => ({ params: { id: await newCategory(world) } }),
}
