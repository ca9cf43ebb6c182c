/** What a check of the install says. */
export interface CheckResult {
  /** `wrong`: the institute is in danger or does not work. `warning`: somebody should know. */
  state: 'ok' | 'warning' | 'wrong'
  text: string
}

export const ok = (text: string): CheckResult => ({ state: 'ok', text })
export const warning = (text: string): CheckResult => ({ state: 'warning', text })
export const wrong = (text: string): CheckResult => ({ state: 'wrong', text })

/** What `institute doctor` asks of a module. It changes nothing; what it throws counts as wrong. */
export interface Check {
  /** One word. */
  about: string
  look(): Promise<CheckResult>
}

/** Something without which the program cannot serve. */
export interface Probe {
  name: string
  /** Does something real with it; throws when it cannot. */
  probe(): Promise<void>
}
