/** What an institute has at first. */
export const en = {
  /** The name of the default branch until somebody renames it. */
  mainBranch: 'Main branch',
}

export type ProvisioningWords = typeof en
