import { newId } from '#kernel/basics/ids.ts'
import type { Examples, World } from '#kit/examples.ts'
import { licenseToken, unlockToken } from '#kit/vendor.ts'

const licensed = async ({ owner }: World): Promise<string> => {
  const licenseId = newId()
  await owner.post('/license', { token: licenseToken({ licenseId }) })
  return licenseId
}

export const licenseExamples: Examples = {
  'license.read': async (world) => {
    await licensed(world)
    return {}
  },
  'license.activate': async () => ({ body: { token: licenseToken() } }),
  'license.unlock': async (world) => {
    const licenseId = await licensed(world)
    return { body: { token: unlockToken({ licenseId, seq: world.serial }) } }
  },
}
