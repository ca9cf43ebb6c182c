import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { explain } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { readStaff } from './reads.ts'

type Teacher = Pick<Schemas['Member'], 'userId' | 'fullName' | 'email'> & {
  roles: readonly { branchId: string | null }[]
}

/** Adds a member to those whom groups can be taught by. */
export const useTeaches = (member: Teacher) => {
  const words = useWords()
  const { user, branches } = useMe()
  const { fullName, userId, roles } = member
  const change = useChange('staff', async (_, header) => {
    const { data } = await readStaff({ q: fullName.slice(0, 100), isActive: true, limit: 100 })
    if (data.some((one) => one.userId === userId)) return false
    const namesake = data.find((one) => one.userId === null && one.fullName === fullName)
    if (namesake) {
      // Of somebody else of this name, it is for whoever knows them to say that they are the same.
      if (userId !== user.id) return false
      const { id, version } = namesake
      await answer(api.PATCH('/staff/{id}', { params: { path: { id } }, body: { userId, version } }))
      return true
    }
    const ownBranch = roles.find(({ branchId }) => branchId !== null)?.branchId
    const branchId = ownBranch ?? branches.find(({ isDefault }) => isDefault)?.id ?? branches[0]?.id ?? ''
    const [firstName = '', ...others] = fullName.split(/\s+/)
    const body = { branchId, firstName, lastName: others.join(' ') || '-', email: member.email, userId }
    await answer(api.POST('/staff', { params: { header }, body }))
    return true
  })
  return {
    isBusy: change.isPending,
    teach: () =>
      change.mutate(undefined, {
        onSuccess: (isNew) =>
          toast(isNew ? words.members.teachesNow(fullName) : words.members.teachesAlready(fullName)),
        onError: (error) => toast(explain(words, error)),
      }),
  }
}
