import { isolate } from '../../../shared/isolate.ts'

/** Where the clock of this device and the server's are far apart. */
export const clocks = {
  differ: (here: string, server: string) =>
    `The clock of this device says ${isolate(here)}, the server’s says ${isolate(server)}. Compare both with a phone, and have the wrong one set by the network: due dates, updates and security certificates go by the server’s.`,
}
