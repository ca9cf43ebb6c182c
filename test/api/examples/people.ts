import type { Examples, World } from '#kit/examples.ts'

/** A mobile number that nobody else has. */
export const newPhone = (): string => `+9725${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`

/** @returns the id of what was made. @throws the reply, where it was not */
const madeBy = async (reply: Promise<{ status: number; body: { id: string } }>): Promise<string> => {
  const { status, body } = await reply
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.id
}

/** @returns the id of a student of status lead in the world's branch */
export const newStudent = ({ owner, branchId }: World): Promise<string> =>
  madeBy(owner.post('/students', { branchId, firstName: 'Dana', lastName: 'Levi' }))

/** @returns the id of a student whom mails reach */
export const reachedStudent = async ({ owner, branchId }: World): Promise<string> => {
  const email = `student-${newPhone().slice(1)}@example.org`
  return (await owner.post('/students', { branchId, firstName: 'Dana', lastName: 'Levi', email })).body.id
}

const guardian = () => ({ firstName: 'Ruth', lastName: 'Levi', phone: newPhone() })

/** @returns the id of a guardian without students */
export const newGuardian = ({ owner }: World): Promise<string> => madeBy(owner.post('/guardians', guardian()))

/** @returns the id of a staff member of the world's branch */
export const newStaff = async ({ owner, branchId }: World, more: Record<string, unknown> = {}): Promise<string> =>
  (await owner.post('/staff', { branchId, firstName: 'Amal', lastName: 'Haddad', ...more })).body.id

const link = { relationship: 'mother', isPrimary: true, isPayer: true }

/** A student with a guardian who is primary and payer. */
export const newFamily = async (world: World): Promise<{ id: string; guardianId: string }> => {
  const [id, guardianId] = [await newStudent(world), await newGuardian(world)]
  await world.owner.post(`/students/${id}/guardians`, { guardianId, ...link })
  return { id, guardianId }
}

const of = (make: (world: World) => Promise<string>, body?: unknown) => async (world: World) => ({
  params: { id: await make(world) },
  ...(body !== undefined && { body }),
})

export const peopleExamples: Examples = {
  'students.list': async ({ branchId }) => ({ query: `?status=lead&branchId=${branchId}` }),
  'students.create': async ({ branchId }) => ({ body: { branchId, firstName: 'Omar', lastName: 'Nasser' } }),
  'students.read': of(newStudent),
  'students.update': of(newStudent, { notes: 'Comes by bus', tags: ['bus'] }),
  'students.change-status': of(newStudent, { status: 'active' }),
  'students.rehearse-status': of(newStudent, { status: 'withdrawn' }),
  'students.merge': async (world) => ({
    params: { id: await newStudent(world) },
    body: { otherId: await newStudent(world) },
  }),
  'guardians.merge': async (world) => ({
    params: { id: await newGuardian(world) },
    body: { otherId: await newGuardian(world) },
  }),
  'students.data': of(newStudent),
  'guardians.data': of(newGuardian),
  'students.erasure': of(newStudent),
  'students.erase': of(newStudent),
  'guardians.erasure': of(newGuardian),
  'guardians.erase': of(newGuardian),
  'students.delete': of(newStudent),
  'students.invite': async (world) => ({
    params: { id: await newStudent(world) },
    body: { email: `student-${newPhone().slice(1)}@example.org` },
  }),
  'guardian-links.list': async (world) => ({ params: { id: (await newFamily(world)).id } }),
  'guardian-links.create': async (world) => ({
    params: { id: await newStudent(world) },
    body: { guardianId: await newGuardian(world), ...link },
  }),
  'guardian-links.update': async (world) => ({ params: { ...(await newFamily(world)) }, body: { isPayer: false } }),
  'guardian-links.delete': async (world) => ({ params: { ...(await newFamily(world)) } }),
  'guardians.list': async () => ({ query: '?q=Ruth' }),
  'guardians.create': async () => ({ body: guardian() }),
  'guardians.read': of(newGuardian),
  'guardians.update': of(newGuardian, { email: 'ruth@example.org' }),
  'guardians.delete': of(newGuardian),
  'guardians.invite': async (world) => ({
    params: { id: await newGuardian(world) },
    body: { email: `guardian-${newPhone().slice(1)}@example.org` },
  }),
  'staff.list': async ({ branchId }) => ({ query: `?branchId=${branchId}` }),
  'staff.create': async ({ branchId }) => ({ body: { branchId, firstName: 'Amal', lastName: 'Haddad' } }),
  'staff.read': of(newStaff),
  'staff.update': of(newStaff, { title: 'Teacher of mathematics' }),
  'staff.delete': of(newStaff),
  'staff.invite': async (world) => ({
    params: { id: await newStaff(world) },
    body: { email: `staff-${newPhone().slice(1)}@example.org` },
  }),
}
