import { Mistake } from '#app/trouble/mistake.ts'
import { tell } from './commands/command.ts'
import { surviveClosedOutput } from './commands/output.ts'
import { isBackupProcess, serveParent } from '#app/backup/process.ts'
import { runCommandLine } from './commands/run.ts'

const MISTAKE = 2

const main = async (): Promise<void> => {
  surviveClosedOutput()
  const args = process.argv.slice(2)
  try {
    if (isBackupProcess(args)) await serveParent()
    else process.exitCode = await runCommandLine(args)
  } catch (error) {
    tell((error as Error).message)
    process.exit(error instanceof Mistake ? MISTAKE : 1)
  }
}

void main()
