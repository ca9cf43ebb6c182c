/** The kinds of system that the program runs on, as far as they differ for it. */
export type Platform = 'unix' | 'windows'

export const platformOf = (name: NodeJS.Platform): Platform => (name === 'win32' ? 'windows' : 'unix')

/** Kind and processor of this machine, as executables and releases are named for it. */
export const MACHINE = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

/** What this machine is. */
export const PLATFORM = platformOf(process.platform)
