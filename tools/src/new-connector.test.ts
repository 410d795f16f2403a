import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { check, resolveConfig } from 'prettier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addToRegistry, writeConnector } from './new-connector.ts'
import { repositoryDir } from '@switchyard/stack/repository-dir.ts'
import { runCommand } from './run-command.ts'
import { scratchDir } from '@switchyard/stack/testing/scratch-dir.ts'

const emptyRegistry = `import type { ConnectorDefinition, ProviderName } from './kit/connector.ts'

/** Every connector, one line each. */
export const connectorDefinitions: Partial<Record<ProviderName, ConnectorDefinition>> = {}
`
const connectors = 'server/src/connectors'
const commandTimeoutMs = 120_000
/** A name of the API that is no provider's. */
const name = 'hybrid'

let root: string
let scratch: Awaited<ReturnType<typeof scratchDir>>
let written: string[]

/** The repository as the new folders see it: what they import is copied, so that nothing is written to the real one. */
beforeAll(async () => {
  scratch = await scratchDir()
  root = scratch.path
  for (const path of ['server/src/lib', `${connectors}/kit`, 'simulator/src'])
    cpSync(join(repositoryDir, path), join(root, path), { recursive: true })
  for (const path of ['node_modules', 'tsconfig.json', '.oxlintrc.json', 'package.json'])
    symlinkSync(join(repositoryDir, path), join(root, path))
  writeFileSync(join(root, connectors, 'registry.ts'), emptyRegistry)
  written = await writeConnector(root, name)
})
afterAll(() => scratch.remove())

async function run(program: string, args: string[]) {
  const signal = new AbortController().signal
  return runCommand({ program, args, cwd: root, timeoutMs: commandTimeoutMs, signal })
}

describe('npm run new:connector', () => {
  test('writes the folder that every connector has, and its line in the registry', () => {
    expect(readdirSync(join(root, connectors, name)).toSorted()).toEqual([
      'README.md',
      'client.ts',
      'connector.ts',
      'contract.test.ts',
      'mapping.test.ts',
      'mapping.ts',
      'webhook.ts',
    ])
    const registry = readFileSync(join(root, connectors, 'registry.ts'), 'utf8')
    expect(registry).toContain("import { hybridConnector } from './hybrid/connector.ts'\n")
    expect(registry).toContain('= {\n  hybrid: hybridConnector,\n}\n')
    const protocols = readFileSync(join(root, 'simulator/src/registry.ts'), 'utf8')
    expect(protocols).toContain("import { hybrid } from './protocols/hybrid/protocol.ts'\n")
    expect(protocols).toMatch(/^ {2}flutterwave,\n {2}hybrid,\n/m)
  })

  test('what it writes is formatted and leaves no placeholder', async () => {
    const config = await resolveConfig(join(repositoryDir, connectors, 'registry.ts'))
    for (const path of written) {
      const text = readFileSync(join(root, path), 'utf8')
      expect([path, await check(text, { ...config, filepath: path })]).toEqual([path, true])
      expect(text).not.toMatch(/\{\{|\}\}'/)
    }
  })

  test('what it writes compiles', { timeout: commandTimeoutMs }, async () => {
    const project = {
      extends: './tsconfig.json',
      include: [`${connectors}/${name}`, `${connectors}/registry.ts`, 'simulator/src/protocols/hybrid'],
    }
    writeFileSync(join(root, 'tsconfig.new.json'), JSON.stringify(project))
    const result = await run('npx', ['tsc', '--noEmit', '-p', 'tsconfig.new.json'])
    expect(result.output).not.toContain(`${connectors}/${name}`)
    expect(result.isSuccess).toBe(true)
  })

  test('what it writes passes the linter', { timeout: commandTimeoutMs }, async () => {
    const result = await run('npx', [
      'oxlint',
      '--deny-warnings',
      `${connectors}/${name}`,
      `${connectors}/registry.ts`,
      `simulator/src/protocols/${name}`,
    ])
    expect([result.isSuccess, result.output]).toEqual([true, expect.stringContaining('0 errors')])
  })

  test('what it writes passes the contract suite as it is', { timeout: commandTimeoutMs }, async () => {
    const result = await run('npx', ['vitest', 'run', '--root', root, `${connectors}/${name}`])
    expect([result.isSuccess, result.output]).toEqual([true, expect.stringContaining('2 passed')])
  })

  test('a name that the API does not know, or a folder that exists, is refused and nothing is written', async () => {
    const before = readFileSync(join(root, connectors, 'registry.ts'), 'utf8')
    await expect(writeConnector(root, 'nobody')).rejects.toThrow('nobody is no provider')
    await expect(writeConnector(root, '../evil')).rejects.toThrow('is no provider')
    await expect(writeConnector(root, name)).rejects.toThrow('server/src/connectors/hybrid exists already')
    expect(readFileSync(join(root, connectors, 'registry.ts'), 'utf8')).toBe(before)
  })
})

describe('docs/adding-a-connector.md', () => {
  const guide = readFileSync(join(repositoryDir, 'docs/adding-a-connector.md'), 'utf8')

  test('names only files, scripts and fields that there are', () => {
    const paths = [...guide.matchAll(/`((?:server|simulator|dev)\/[\w./-]+)`/g)].map(([, path = '']) => path)
    const made = paths.map((path) => path.replaceAll('zebra', name))
    expect(made.length).toBeGreaterThan(5)
    for (const path of made)
      expect([path, [repositoryDir, root].some((dir) => existsSync(join(dir, path)))]).toEqual([path, true])
    const { scripts } = JSON.parse(readFileSync(join(repositoryDir, 'package.json'), 'utf8'))
    for (const [, script = ''] of guide.matchAll(/npm run ([\w:]+)/g))
      expect(scripts).toHaveProperty([script])
    const seeds = readFileSync(join(repositoryDir, 'stack/src/seeds/seed-providers.ts'), 'utf8')
    for (const field of ['simulatorCredentials', 'toldByWebhook']) expect(seeds).toContain(field)
  })

  test('its table has every file that is to be changed', () => {
    const files = readdirSync(join(root, connectors, name)).filter((file) =>
      /^(?!mapping\.test).*\.ts$/.test(file),
    )
    for (const file of files)
      expect(guide).toMatch(new RegExp(`^\\| \`${file.replaceAll('.', '\\.')}\``, 'm'))
  })
})

describe('the registry', () => {
  test('keeps its lines in order, wherever the new one goes', () => {
    const names = ['pawapay', 'adyen', 'stripe', 'mpesa']
    const text = names.reduce(addToRegistry, emptyRegistry)
    expect(text).toBe(`import type { ConnectorDefinition, ProviderName } from './kit/connector.ts'
import { adyenConnector } from './adyen/connector.ts'
import { mpesaConnector } from './mpesa/connector.ts'
import { pawapayConnector } from './pawapay/connector.ts'
import { stripeConnector } from './stripe/connector.ts'

/** Every connector, one line each. */
export const connectorDefinitions: Partial<Record<ProviderName, ConnectorDefinition>> = {
  adyen: adyenConnector,
  mpesa: mpesaConnector,
  pawapay: pawapayConnector,
  stripe: stripeConnector,
}
`)
  })

  test('the real one takes another line', () => {
    const real = readFileSync(join(repositoryDir, connectors, 'registry.ts'), 'utf8')
    const text = addToRegistry(real, 'zebra')
    expect(text.split('\n')).toHaveLength(real.split('\n').length + 2)
    expect(text).toContain('  zebra: zebraConnector,\n')
  })

  test('a file that looks otherwise is refused', () => {
    expect(() => addToRegistry('export const nothing = 1\n', 'mpesa')).toThrow('does not look as expected')
  })
})
