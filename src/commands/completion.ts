import { result, WrongUsage, type Command, type Commands } from './command.ts'
import { bash } from './completion/bash.ts'
import { fish } from './completion/fish.ts'
import { completionPoints } from './completion/model.ts'
import { zsh } from './completion/zsh.ts'
import { serve } from './serve.ts'

const SCRIPTS = { bash, zsh, fish }
const SHELLS = Object.keys(SCRIPTS)

/** @param commands every command, this one included */
export const completionCommand = (commands: () => Commands): Command => ({
  about: 'Print what completes this command line in a shell',
  usage: SHELLS.join('|'),
  words: 1,
  proposed: { choices: SHELLS },
  settings: [],
  run: async ({ words: [shell] }) => {
    const script = Object.entries(SCRIPTS).find(([name]) => name === shell)?.[1]
    if (!script) throw new WrongUsage(`institute completion speaks ${SHELLS.join(', ')}, not ${shell}.`)
    result(script(completionPoints(commands(), serve)))
    return 0
  },
})
