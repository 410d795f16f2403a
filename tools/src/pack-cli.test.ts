import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { packCli } from './pack-cli.ts'

const directory = mkdtempSync(join(tmpdir(), 'switchyard-pack-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const largestBytes = 600_000

it('is one file that runs in an empty directory', async () => {
  const tarball = await packCli(join(directory, 'built'))
  execFileSync('tar', ['-xzf', tarball, '-C', directory])
  const folder = join(directory, 'package')
  expect(readdirSync(folder).toSorted()).toEqual(['LICENSE', 'README.md', 'package.json', 'switchyard.js'])
  const program = join(folder, 'switchyard.js')
  expect(statSync(program).size).toBeLessThan(largestBytes)
  const run = (...args: string[]): string =>
    execFileSync(process.execPath, [program, ...args], { cwd: directory, encoding: 'utf8' })
  expect(run('--version')).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect(run('payments', 'initiate', '--help')).toContain('payer_details.name')
  expect(run('trigger', '--help')).toContain('--with fallback')
}, 60_000)
