import { existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { UsageError } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { isExposed, readConfig, type Config, type Profile } from './config-file.ts'

export interface ChosenProfile extends Profile {
  readonly name: string
  /** Where the profile was found, for `whoami`. */
  readonly source: string
}

const localConfig = '.switchyard/config.json'
const loopbackHosts: readonly string[] = ['127.0.0.1', 'localhost', '[::1]']

/** The user's configuration file, unless SWITCHYARD_CONFIG names another. */
export function configPath({ env }: Pick<Io, 'env'>): string {
  const named = env['SWITCHYARD_CONFIG']
  if (named !== undefined && named !== '') return named
  const home = env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config')
  return join(home, 'switchyard/config.json')
}

/** The key in the environment comes first, then the named profile, that of `npm run dev`, and the current one. */
export function chooseProfile(
  io: Pick<Io, 'env' | 'cwd' | 'report'>,
  named: string | undefined,
): ChosenProfile {
  const name = named ?? (io.env['SWITCHYARD_PROFILE'] || undefined)
  const stored = storedProfile(io, name)
  const apiKey = io.env['SWITCHYARD_API_KEY'] || undefined
  const baseUrl = io.env['SWITCHYARD_BASE_URL'] || undefined
  if (apiKey === undefined && stored && baseUrl === undefined) return stored
  if (apiKey === undefined) {
    if (baseUrl !== undefined) throw new UsageError('SWITCHYARD_BASE_URL needs SWITCHYARD_API_KEY.')
    throw new UsageError('There is no profile. Run `switchyard login`, or set SWITCHYARD_API_KEY.')
  }
  const address = baseUrl ?? stored?.base_url
  if (address === undefined)
    throw new UsageError('SWITCHYARD_API_KEY needs SWITCHYARD_BASE_URL or a profile.')
  return {
    name: 'environment',
    source: 'SWITCHYARD_API_KEY',
    base_url: address,
    api_key: apiKey,
    environment: environmentOf(address),
    // The key may belong to a different organisation than the profile, so only the addresses are taken from it.
    ...(baseUrl === undefined && stored && { simulator: stored.simulator, dashboard: stored.dashboard }),
  }
}

/** An address on this machine is never production. */
export const environmentOf = (baseUrl: string): Profile['environment'] =>
  isLoopback(baseUrl) ? 'sandbox' : 'production'

const isLoopback = (baseUrl: string): boolean =>
  URL.canParse(baseUrl) && loopbackHosts.includes(new URL(baseUrl).hostname)

function storedProfile(
  io: Pick<Io, 'env' | 'cwd' | 'report'>,
  name: string | undefined,
): ChosenProfile | undefined {
  const path = configPath(io)
  const local = (io.env['SWITCHYARD_CONFIG'] ?? '') === '' ? localProfile(io.cwd, name) : undefined
  if (local) return local
  const config = readConfig(path)
  if (config && isExposed(path)) io.report(`Other users can read ${path}; run chmod 600 on it.`)
  const wanted = name ?? config?.current
  const profile = wanted === undefined ? undefined : config?.profiles[wanted]
  if (name !== undefined && !profile)
    throw new UsageError(`There is no profile ${name}. ${knownNames(config)}`)
  return profile && wanted !== undefined ? { ...profile, name: wanted, source: path } : undefined
}

const knownNames = (config: Config | undefined): string =>
  config ? `Available: ${Object.keys(config.profiles).join(', ')}.` : 'Run `switchyard login`.'

/**
 * The profile that `npm run dev` wrote into the repository. It must point to this machine and belong to this user,
 * because a folder from elsewhere could also contain one.
 */
function localProfile(cwd: string, name: string | undefined): ChosenProfile | undefined {
  const path = findUpwards(cwd)
  if (path === undefined || statSync(path).uid !== process.getuid?.()) return undefined
  const config = readConfig(path)
  const wanted = name ?? config?.current
  const profile = wanted === undefined ? undefined : config?.profiles[wanted]
  if (!profile || wanted === undefined || !isLoopback(profile.base_url)) return undefined
  return { ...profile, environment: 'sandbox', name: wanted, source: path }
}

function findUpwards(directory: string): string | undefined {
  const path = join(directory, localConfig)
  if (existsSync(path)) return path
  const parent = dirname(directory)
  return parent === directory ? undefined : findUpwards(parent)
}
