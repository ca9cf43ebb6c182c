import { Mistake } from '#app/mistake.ts'
import { tell } from './commands/command.ts'
import { surviveClosedOutput } from './commands/output.ts'
import { runCommandLine } from './commands/run.ts'

const MISTAKE = 2

const main = async (): Promise<void> => {
  surviveClosedOutput()
  try {
    process.exitCode = await runCommandLine(process.argv.slice(2))
  } catch (error) {
    tell((error as Error).message)
    process.exit(error instanceof Mistake ? MISTAKE : 1)
  }
}

void main()
