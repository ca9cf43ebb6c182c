import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { explain } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import type { Member } from './reads.ts'
import { readStaff } from '../../records/staff/reads.ts'

/** Whether somebody can be chosen as a teacher already. */
const isAmongStaff = async ({ userId, fullName }: Member): Promise<boolean> => {
  const { data } = await readStaff({ q: fullName.slice(0, 100), isActive: true, limit: 100 })
  return data.some((one) => one.userId === userId || (one.userId === null && one.fullName === fullName))
}

/** Adds a member to those whom groups can be taught by. @returns a function that does it and says so */
export const useTeaches = (member: Member): (() => void) => {
  const words = useWords()
  const { user, branches } = useMe()
  const { fullName, userId, roles } = member
  const add = useChange('staff', async (_, header) => {
    if (await isAmongStaff(member)) return false
    const ownBranch = roles.find(({ branchId }) => branchId !== null)?.branchId
    const branchId = ownBranch ?? branches.find(({ isDefault }) => isDefault)?.id ?? branches[0]?.id ?? ''
    const [firstName = '', ...others] = fullName.split(/\s+/)
    const body = { branchId, firstName, lastName: others.join(' ') || '-', email: member.email }
    // Nobody gives their own account more reach; who sets up the institute has all of it.
    const account = userId !== user.id && { userId }
    await answer(api.POST('/staff', { params: { header }, body: { ...body, ...account } }))
    return true
  })
  return () =>
    add.mutate(undefined, {
      onSuccess: (isNew) => toast(isNew ? words.members.teachesNow(fullName) : words.members.teachesAlready(fullName)),
      onError: (error) => toast(explain(words, error)),
    })
}
