import { spawn, type ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'
import { scriptCommand } from './child-process.ts'
import { environmentForOthers } from './environment.ts'

/** What a process may take. The kernel and the engine end one that takes more. */
export interface ProcessLimits {
  /** The objects of JavaScript, in megabytes. */
  heapMegabytes: number
  /** All memory beyond the heap's limit that is no file's: buffers, what libraries take, the stacks of threads. */
  otherMegabytes: number
  /** The time of the processor, in seconds: it does not run on while others are busy. */
  cpuSeconds: number
}

/** V8 sets so much aside for machine code when it starts, of which it uses little. The kernel counts all of it. */
const CODE_MEGABYTES = 512
/** Of 19. */
const MODESTY = 5

/**
 * Starts a script as a process that cannot take more than its limits, for bytes that strangers bring: the engine keeps the
 * heap, the kernel (RLIMIT_DATA, RLIMIT_CPU) whatever else it takes. The shell's `ulimit` sets them: every system has it,
 * a control group needs rights that the service does not have, and a parent that looks and kills comes too late when it is
 * busy. RLIMIT_AS is of no use, because V8 reserves addresses that it never fills. The process reads from its standard
 * input, waits where others need the processor, and does not keep this process alive.
 */
export const startLimited = (
  script: string,
  { heapMegabytes, otherMegabytes, cpuSeconds }: ProcessLimits,
): ChildProcess => {
  const dataKilobytes = (heapMegabytes + otherMegabytes + CODE_MEGABYTES) * 1024
  const limits = `ulimit -c 0; ulimit -d ${dataKilobytes}; ulimit -t ${cpuSeconds}; exec "$0" "$@"`
  const child = spawn('/bin/sh', ['-c', limits, ...scriptCommand(script)], {
    // What the engine writes when its memory ends would fill the log: what a script has to say it says in a message.
    env: { ...environmentForOthers(), NODE_OPTIONS: `--max-old-space-size=${heapMegabytes} --max-semi-space-size=8` },
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
  try {
    // While it is still the shell: the threads that it starts later are as modest.
    if (child.pid !== undefined) setPriority(child.pid, MODESTY)
  } catch {
    // It is gone already, or the system does not allow it.
  }
  child.unref()
  child.channel?.unref()
  return child
}
