import type { ProvisioningWords } from './en.ts'

export const ar: ProvisioningWords = {
  mainBranch: 'الفرع الرئيسي',
}
