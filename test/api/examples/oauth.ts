import type { Client } from '#kit/client.ts'
import type { Example, Examples, World } from '#kit/examples.ts'
import { allow, approval, CALLBACK, clientOf, grantTo, newVerifier, type Asked } from '#kit/oauth.ts'

const OWN = 'What a user allows is theirs.'

/** Somebody who may let an assistant in, whom no other example needs. */
const somebody = async ({ institute }: World) => {
  await institute.owner.patch('/feature-flags', { mcp: true })
  return institute.member({ role: 'owner' })
}

const form = (fields: Record<string, string>): Example => ({
  raw: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})

const asked = async (world: World): Promise<Asked> => allow(world.app, await somebody(world), world.institute.tenant.id)

const newGrant = async (world: World, member: Client) => {
  const grant = await grantTo(world.app, member, world.institute.tenant.id)
  const { body } = await member.get('/me/grants')
  return { ...grant, id: body.data[0].id as string }
}

export const oauthExamples: Examples = {
  'oauth.server-metadata': async () => ({}),
  'oauth.resource-metadata': async () => ({}),
  'oauth.mcp-resource-metadata': async () => ({}),
  'oauth.register': async () => ({ body: { client_name: 'Helper', redirect_uris: [CALLBACK] } }),
  'oauth.consent-context': async (world) => {
    const clientId = await clientOf(world.app)
    return {
      as: await somebody(world),
      query: `?${new URLSearchParams({ clientId, redirectUri: CALLBACK }).toString()}`,
    }
  },
  'oauth.consent': async (world) => {
    const clientId = await clientOf(world.app)
    await somebody(world)
    return { body: approval(clientId, world.institute.tenant.id, newVerifier().codeChallenge) }
  },
  'oauth.token': async (world) => {
    const { clientId, verifier, code } = await asked(world)
    return form({
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      code_verifier: verifier,
      redirect_uri: CALLBACK,
    })
  },
  'oauth.revoke': async (world) => {
    const { clientId, refreshToken } = await newGrant(world, await somebody(world))
    return form({ client_id: clientId, token: refreshToken })
  },
  'me.list-grants': async (world) => {
    const member = await somebody(world)
    await newGrant(world, member)
    return { as: member }
  },
  'me.end-grant': async (world) => {
    const member = await somebody(world)
    return { as: member, params: { id: (await newGrant(world, member)).id } }
  },
  'members.list-all-grants': {
    branchless: OWN,
    make: async (world) => {
      await newGrant(world, await somebody(world))
      return {}
    },
  },
  'members.list-grants': {
    branchless: OWN,
    make: async (world) => {
      const member = await somebody(world)
      await newGrant(world, member)
      return { params: { id: member.membershipId } }
    },
  },
  'members.end-grant': {
    branchless: OWN,
    make: async (world) => {
      const member = await somebody(world)
      return { params: { id: member.membershipId, grantId: (await newGrant(world, member)).id } }
    },
  },
}
