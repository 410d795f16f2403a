import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const installed = join(import.meta.dirname, '../../../.toolchain/deploy/bin')

/**
 * The path of a tool that deploy/install-tools has installed, or that the machine has. Without it, tests that need it
 * are skipped with a line, unless SWITCHYARD_DEPLOY_TOOLS names it as required.
 */
export function findTool(name: string): string | undefined {
  const directories = [installed, ...(process.env['PATH'] ?? '').split(delimiter)]
  const found = directories.map((directory) => join(directory, name)).find((path) => existsSync(path))
  if (found !== undefined) return found
  if ((process.env['SWITCHYARD_DEPLOY_TOOLS'] ?? '').split(',').includes(name))
    throw new Error(`${name} is required: run deploy/install-tools ${name}`)
  console.warn(`skipped: ${name} is not installed; deploy/install-tools ${name} installs it`)
  return undefined
}
