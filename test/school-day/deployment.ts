/** The program as a school day sees it: one process with a file, or several of a cloud with one database. */
export interface Deployment {
  /** Where its API is. The port stays the same over starts. */
  readonly url: string
  /** The data directory of each process. */
  readonly dataDirs: readonly string[]
  /** Starts every process, and waits until they are ready. */
  start(): Promise<void>
  /** SIGTERM to every process. */
  stop(): Promise<void>
  /** SIGKILL to every process: none can finish anything. */
  kill(): Promise<void>
  /** Until its end, each process gets processor time only where others leave some. */
  yieldToOthers(): void
  /** Makes the institute. @returns the access token of its owner */
  newInstitute(): Promise<string>
  /** The number that a query of the database gives; the same SQL runs on both engines. */
  count(sql: string): Promise<number>
  /** What is wrong with the database as such. Only asked for after its processes have ended. */
  problems(): Promise<string[]>
}
