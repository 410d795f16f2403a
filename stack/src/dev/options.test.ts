import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { repositoryDir } from '../repository-dir.ts'
import { helpText, parseOptions } from './options.ts'

const run = promisify(execFile)
const main = join(import.meta.dirname, 'main.ts')

test('without options it uses the default ports and .switchyard in the repository', () => {
  expect(parseOptions([])).toEqual({
    ports: 'default',
    dataDir: join(repositoryDir, '.switchyard'),
    help: false,
  })
})

test('a data directory is resolved against the working directory', () => {
  const options = parseOptions(['--ports', 'random', '--data-dir', 'somewhere'])
  expect(options).toEqual({ ports: 'random', dataDir: join(process.cwd(), 'somewhere'), help: false })
})

test('--help explains the options and starts nothing', async () => {
  expect((await run(process.execPath, [main, '--help'])).stdout.trim()).toBe(helpText.trim())
})

test('a wrong option is refused with a one-line message', async () => {
  const failure = await run(process.execPath, [main, '--ports', '5']).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 1, stderr: 'dev: --ports is default or random, not 5\n' })
})
