import type { Examples, World } from '#kit/examples.ts'
import { newApiKey } from './integrations.ts'
import { newPhone } from './people.ts'

export const SITE = 'https://www.example.org'

/** The credentials of the institute's website: a publishable key and the origin of its page. */
export const visitor = async (world: Pick<World, 'app' | 'owner'>) => {
  const { key } = await newApiKey(world, { kind: 'publishable', allowedOrigins: [SITE] })
  return { as: world.app.as(key as string), headers: { origin: SITE } }
}

export const registration = () => ({
  firstName: 'Yara',
  lastName: 'Nasser',
  guardian: { firstName: 'Hala', lastName: 'Nasser', phone: newPhone() },
})

export const enquiry = () => ({ firstName: 'Omar', lastName: 'Aziz', phone: newPhone() })

/** @returns the id of a lead without a student, in the world's branch */
export const newLead = async ({ owner, branchId, institute }: World, more: object = {}): Promise<string> => {
  const recorder = branchId === institute.branchId ? owner : await institute.member({ role: 'front_desk', branchId })
  return (await recorder.post('/leads', { ...enquiry(), ...more })).body.id
}

const ofLead = async (world: World) => ({ params: { id: await newLead(world) } })

export const leadExamples: Examples = {
  'public-courses.list': visitor,
  'public-registrations.create': async (world) => ({ ...(await visitor(world)), body: registration() }),
  'leads.list': async () => ({ query: '?status=new' }),
  'leads.create': async () => ({ body: enquiry() }),
  'leads.read': ofLead,
  'leads.update': async (world) => ({ ...(await ofLead(world)), body: { status: 'contacted', note: 'Calls back' } }),
  'leads.convert': async (world) => ({ params: { id: await newLead(world, { guardian: registration().guardian }) } }),
}
