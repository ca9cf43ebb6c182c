import type { Audience } from '#kit/audience.ts'
import type { Row } from './session-rows.ts'

interface Place {
  audience: () => Audience
  /** The ids of students by name. */
  students: Readonly<Record<string, string>>
  owners: readonly string[]
  post: (path: string, body?: unknown) => Promise<unknown>
}

/** What a family proposes to change, and what becomes of it. */
export const proposalRows = ({ audience, students, owners, post }: Place): readonly Row[] => {
  /** Rachel proposes what the school should know of her daughter. */
  const propose = async (): Promise<void> => {
    const mother = audience().recipients.find(({ name }) => name === 'רחל לוי')?.account
    const changes = { phone: '050-111-2233', address: { line1: 'Herzl 5' } }
    const reply = await mother?.post('/me/proposed-changes', { studentId: students['דנה לוי'], changes })
    if (reply?.status !== 201) throw new Error(JSON.stringify(reply?.body))
  }
  const decide = async (how: 'accept' | 'decline', body: object) => {
    const [open] = (await audience().institute.owner.get('/proposed-changes')).body.data
    return post(`/proposed-changes/${open.id}/${how}`, { seen: open.seen, ...body })
  }
  return [
    {
      event: 'details.proposed',
      what: 'a parent proposes a change of what is kept of their child',
      hears: [...owners, 'Adele King', 'Brenda Hall', 'Grace Miller'],
      over: ['in_app', 'push'],
      does: propose,
    },
    {
      event: 'details.accepted',
      what: 'a part of it is accepted, with a remark',
      hears: ['רחל לוי'],
      // Her daughter is still reached by the same phone in the rows after this.
      does: () => decide('accept', { fields: ['address'], remark: 'Please tell us the new phone by telephone.' }),
    },
    {
      event: 'details.declined',
      what: 'another one is declined',
      hears: ['רחל לוי'],
      given: propose,
      does: () => decide('decline', { remark: 'Please bring an identity card.' }),
    },
  ]
}
