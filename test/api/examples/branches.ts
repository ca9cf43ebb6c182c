import type { Examples, World } from '#kit/examples.ts'

export const newBranch = async ({ owner, serial }: World): Promise<string> =>
  (await owner.post('/branches', { name: `Branch ${serial} ${Math.random()}` })).body.id

export const branchExamples: Examples = {
  'branches.list': { make: async () => ({}), branchless: 'any caller inside the institute may read all branches' },
  'branches.create': async ({ serial }) => ({ body: { name: `New ${serial} ${Math.random()}` } }),
  'branches.update': async (world) => ({ params: { id: await newBranch(world) }, body: { code: 'N1' } }),
  'branches.delete': async (world) => ({ params: { id: await newBranch(world) } }),
}
