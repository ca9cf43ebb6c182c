import { homedir } from 'node:os'
import path from 'node:path'

/**
 * The folder for what the program keeps of the person who runs it, by the rules of the XDG base directories: a relative
 * path in the environment is ignored.
 */
export const configHome = ({ XDG_CONFIG_HOME: given = '' } = process.env): string =>
  path.join(path.isAbsolute(given) ? given : path.join(homedir(), '.config'), 'institute')
