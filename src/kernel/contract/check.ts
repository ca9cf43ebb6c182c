/** The result of one check of the installation. */
export interface CheckResult {
  /** `wrong`: the institute does not work, or its data is in danger. `warning`: an administrator should know. */
  state: 'ok' | 'warning' | 'wrong'
  text: string
}

export const passed = (text: string): CheckResult => ({ state: 'ok', text })
export const warning = (text: string): CheckResult => ({ state: 'warning', text })
export const wrong = (text: string): CheckResult => ({ state: 'wrong', text })

/** A check that `institute doctor` runs. It changes nothing; a check that throws counts as wrong. */
export interface Check {
  /** What is checked, in one word. */
  about: string
  look(): Promise<CheckResult>
}

/** A service that the program needs in order to answer requests. */
export interface Probe {
  name: string
  /** Uses the service for real. Throws when that fails. */
  probe(): Promise<void>
}
