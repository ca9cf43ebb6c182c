import path from 'node:path'

/** Where the service lays a release for the updater, in a folder that backups leave out. institute-update.path knows it. */
export const stagedIn = (dataDir: string) => {
  const folder = path.join(dataDir, '.update')
  return {
    folder,
    manifest: path.join(folder, 'manifest.json'),
    keys: path.join(folder, 'keys.json'),
    release: path.join(folder, 'release.tar.gz'),
    /** Laid last: the updater starts when it is there. */
    wanted: path.join(folder, 'wanted'),
  }
}

/** Beside the program, where only root writes. */
export const keysFileIn = (programDir: string): string => path.join(programDir, 'update-keys.json')
export const installerIn = (programDir: string): string => path.join(programDir, 'install.sh')
export const incomingIn = (programDir: string): string => path.join(programDir, 'incoming')
