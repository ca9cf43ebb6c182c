import { explain } from '#app/program.ts'
import { WrongSetting } from '#app/read-config.ts'
import { tell, WrongUsage } from './commands/command.ts'
import { runCommandLine } from './commands/run.ts'

const WRONG_USAGE = 2

const main = async (): Promise<void> => {
  try {
    process.exitCode = await runCommandLine(process.argv.slice(2))
  } catch (error) {
    tell(explain(error))
    process.exit(error instanceof WrongSetting || error instanceof WrongUsage ? WRONG_USAGE : 1)
  }
}

void main()
