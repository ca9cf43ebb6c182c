import type { Module } from '#kernel/contract/module.ts'
import { branchEndpoints } from './endpoints.ts'
import { branchNames } from './names.ts'
import { branchTables } from './tables.ts'

export { branchNames } from './names.ts'
export { lockDefaultBranch } from './default-branch.ts'
export { countActive as countActiveBranches, countBranches, createBranch } from './service.ts'

export const branchesModule: Module = {
  name: 'branches',
  tags: {
    branches: 'The places of the institute.',
  },
  tables: branchTables,
  endpoints: branchEndpoints,
  names: [
    {
      fields: ['branchId'],
      read: branchNames,
    },
  ],
}
