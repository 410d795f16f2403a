import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'

const sdk = join(import.meta.dirname, '..')
const root = join(sdk, '..')
// Written inside the package, so that the samples can import it by name.
const directory = mkdtempSync(join(sdk, 'samples-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

it('the samples of the README compile, and it has at most 100 lines', () => {
  const readme = readFileSync(join(sdk, 'README.md'), 'utf8')
  const samples = [...readme.matchAll(/^```ts\n([^]*?)^```$/gm)].map((match) => match[1] ?? '')
  expect(samples).toHaveLength(4)
  samples.forEach((sample, index) => writeFileSync(join(directory, `sample-${index}.ts`), sample))
  const options = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { incremental: false, tsBuildInfoFile: null, exactOptionalPropertyTypes: true },
    include: ['.'],
  }
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(options))
  const print = execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', directory], { encoding: 'utf8' })
  expect(print).toBe('')
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(100)
}, 60_000)
