import { change, read } from '#kernel/contract/endpoint.ts'
import { QuotaExceeded } from '#kernel/who/quota.ts'
import { list, Ok } from '#kernel/values/schema.ts'
import { Branch, BranchChanges, NewBranch } from './schemas.ts'
import {
  BranchInUse,
  BranchNameTaken,
  changeBranch,
  createBranch,
  DefaultBranchStays,
  deleteBranch,
  listBranches,
} from './service.ts'

export const branchEndpoints = [
  read({
    id: 'branches.list',
    path: '/branches',
    summary: 'List all branches',
    description:
      'Oldest first, in one answer. Any caller inside the institute may read it, and reads all of them, also under a role for one branch: records name branches, and a form asks for one.',
    access: 'tenant',
    reply: list(Branch),
    handle: ({ whole }) => listBranches(whole),
  }),
  change({
    id: 'branches.create',
    method: 'POST',
    path: '/branches',
    summary: 'Open a branch',
    description:
      'Needs branches.manage for the whole institute. `isDefault: true` takes the mark from the branch that had it. Active branches count against the plan’s maxBranches.',
    access: 'branches.manage',
    wholeTenant: true,
    body: NewBranch,
    status: 201,
    reply: Branch,
    fails: [QuotaExceeded, BranchNameTaken],
    handle: ({ tx, body }) => createBranch(tx, body),
  }),
  change({
    id: 'branches.update',
    method: 'PATCH',
    path: '/branches/{id}',
    summary: 'Change a branch',
    description:
      '`isDefault: true` takes the mark from the branch that had it and switches this one on. The default branch can be neither switched off nor unmarked (409). One that is switched on again counts against the plan’s maxBranches.',
    access: 'branches.manage',
    body: BranchChanges,
    reply: Branch,
    fails: [QuotaExceeded, BranchNameTaken, DefaultBranchStays],
    handle: ({ tx, params, body }) => changeBranch(tx, params.id, body),
  }),
  change({
    id: 'branches.delete',
    method: 'DELETE',
    path: '/branches/{id}',
    summary: 'Delete a branch that nothing belongs to',
    access: 'branches.manage',
    reply: Ok,
    fails: [DefaultBranchStays, BranchInUse],
    handle: ({ tx, params }) => deleteBranch(tx, params.id),
  }),
]
