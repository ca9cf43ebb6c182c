import { writeFileSync } from 'node:fs'

/** From 0 to 1000: when memory runs out, Linux ends processes with a higher number first. */
const FIRST_TO_GO = '500'

/** For the child: if memory runs out, it is the first to go, and the server stays. */
export const goFirst = (): void => {
  try {
    writeFileSync('/proc/self/oom_score_adj', FIRST_TO_GO)
  } catch {
    // If the system does not allow or know this, the work is done anyway.
  }
}
