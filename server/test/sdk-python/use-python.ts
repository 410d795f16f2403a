import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** The source of the Python SDK, as a folder to import from. */
export const pythonSource = join(root, 'sdk-python/src')

/** The Python of the environment that has what the SDK needs; makes the environment if it is missing. */
export function usePython(): string {
  execFileSync('bash', [join(root, 'tools/use-python.sh')], { stdio: ['ignore', 'ignore', 'inherit'] })
  return join(root, '.toolchain/python/bin/python')
}
