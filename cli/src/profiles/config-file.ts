import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from '../exit-codes.ts'

/** One installation and one credential. */
export interface Profile {
  base_url: string
  api_key: string
  /** In production, commands that move money ask for confirmation. */
  environment: 'production' | 'sandbox'
  org_id?: string | undefined
  /** The simulator's address, for `trigger`. */
  simulator?: string | undefined
  dashboard?: string | undefined
}

export interface Config {
  current?: string | undefined
  profiles: Record<string, Profile>
}

const ownerOnly = 0o600
const othersMayRead = 0o077

/** Undefined if there is no file. */
export function readConfig(path: string): Config | undefined {
  const text = readIfExists(path)
  if (text === undefined) return undefined
  const config = parse(text)
  if (!config)
    throw new UsageError(`${path} is not a valid configuration. Remove it and run \`switchyard login\`.`)
  return config
}

/** Whether other users of this machine can read the keys in the file. */
export const isExposed = (path: string): boolean => (statSync(path).mode & othersMayRead) !== 0

/** Writes a new file and renames it, so that a killed process leaves either the old or the new file. */
export function writeConfig(path: string, config: Config): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}.draft`
  try {
    const file = openSync(draft, 'wx', ownerOnly)
    try {
      writeSync(file, `${JSON.stringify(config, undefined, 2)}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    chmodSync(draft, ownerOnly)
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function parse(text: string): Config | undefined {
  try {
    const config: unknown = JSON.parse(text)
    const isConfig = typeof config === 'object' && config !== null && 'profiles' in config
    return isConfig ? (config as Config) : undefined // only this program and `npm run dev` write it
  } catch {
    return undefined
  }
}
