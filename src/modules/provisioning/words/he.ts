import type { ProvisioningWords } from './en.ts'

export const he: ProvisioningWords = {
  mainBranch: 'הסניף הראשי',
}
