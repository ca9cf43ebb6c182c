/** The environment for a program beside this one, which need not know this one's secrets. */
export const environmentForOthers = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^(?:INSTITUTE|OTEL)_/.test(key)))

/** The engine of containers that names itself to what it runs, as Podman does; undefined: none. */
export const containerEngine = (): string | undefined => process.env['container']
