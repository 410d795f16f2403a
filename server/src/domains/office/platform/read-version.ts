import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const packageSchema = z.object({ version: z.string() })
const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

/** The version of the code that runs here. */
export const readVersion = (): string =>
  packageSchema.parse(JSON.parse(readFileSync(pathOf('../../../../package.json'), 'utf8'))).version

/** The migrations that this version brings with it, in order. */
export const readMigrations = (): string[] =>
  readdirSync(pathOf('../../../../migrations'))
    .filter((name) => name.endsWith('.sql'))
    .map((name) => name.slice(0, -'.sql'.length))
    .sort()
