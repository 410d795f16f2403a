import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatText } from './format-text.ts'
import { addToRegistry, writeConnector } from './new-connector.ts'
import { repositoryDir } from '@switchyard/stack/repository-dir.ts'
import { runCommand } from './run-command.ts'
import { scratchDir } from '@switchyard/stack/testing/scratch-dir.ts'

const emptyRegistry = `import { registerConnectors } from './kit/register-connectors.ts'

/** Every connector has one line here. */
export const connectorDefinitions = registerConnectors({})
`
const connectors = 'server/src/connectors'
const commandTimeoutMs = 120_000
/** No file of the repository mentions it. */
const name = 'quagga'

let root: string
let scratch: Awaited<ReturnType<typeof scratchDir>>
let written: string[]

/** A copy of what the new folders import, so that nothing is written to the repository itself. */
beforeAll(async () => {
  scratch = await scratchDir()
  root = scratch.path
  for (const path of ['server/src/lib', connectors, 'simulator/src'])
    cpSync(join(repositoryDir, path), join(root, path), { recursive: true })
  for (const path of ['tsconfig.json', '.oxlintrc.json', 'package.json'])
    symlinkSync(join(repositoryDir, path), join(root, path))
  for (const path of ['server/package.json', 'simulator/package.json'])
    symlinkSync(join(repositoryDir, path), join(root, path))
  linkPackages()
  written = await writeConnector(root, name)
})
afterAll(() => scratch.remove())

/** The workspace packages are those of the copy; all others are those of the repository. */
function linkPackages(): void {
  const workspace = '@switchyard'
  mkdirSync(join(root, 'node_modules', workspace), { recursive: true })
  for (const entry of readdirSync(join(repositoryDir, 'node_modules')).filter((one) => one !== workspace))
    symlinkSync(join(repositoryDir, 'node_modules', entry), join(root, 'node_modules', entry))
  for (const member of ['server', 'simulator'])
    symlinkSync(join(root, member), join(root, 'node_modules', workspace, member))
}

async function run(program: string, args: string[]) {
  const signal = new AbortController().signal
  return runCommand({ program, args, cwd: root, timeoutMs: commandTimeoutMs, signal })
}

describe('npm run new:connector', () => {
  test('writes both folders and one line in each registry', () => {
    expect(readdirSync(join(root, connectors, name)).toSorted()).toEqual([
      'README.md',
      'client.ts',
      'connector.ts',
      'contract.test.ts',
      'credentials.ts',
      'mapping.test.ts',
      'mapping.ts',
      'otp.ts',
      'payin.ts',
      'payout.ts',
      'refund.ts',
      'webhook.ts',
    ])
    expect(readdirSync(join(root, 'simulator/src/protocols', name)).toSorted()).toEqual([
      'payments.ts',
      'payouts.ts',
      'protocol.ts',
      'refunds.ts',
      'sandbox.ts',
      'wire.ts',
    ])
    const registry = readFileSync(join(root, connectors, 'registry.ts'), 'utf8')
    expect(registry).toContain("import { quaggaConnector } from './quagga/connector.ts'\n")
    expect(registry).toMatch(/^ {2}paystack: .*\n {2}quagga: quaggaConnector,\n {2}stripe/m)
    const protocols = readFileSync(join(root, 'simulator/src/registry.ts'), 'utf8')
    expect(protocols).toContain("import { quagga } from './protocols/quagga/protocol.ts'\n")
    expect(protocols).toMatch(/^ {2}paystack,\n {2}quagga,\n {2}stripe,\n/m)
  })

  test('the API, the documentation and the seed know the provider without another edit', async () => {
    const script = `
      import { connectorDefinitions, providerNames } from '@switchyard/server/connectors/registry.ts'
      import { PROTOCOLS, sandboxCredentials } from '@switchyard/simulator/registry.ts'
      const credentials = sandboxCredentials('http://127.0.0.1:4010').${name}
      const { sandbox } = PROTOCOLS.find((protocol) => protocol.name === '${name}')
      console.log(JSON.stringify({
        isInApi: providerNames.includes('${name}'),
        areCredentialsValid: connectorDefinitions.${name}.credentials.safeParse(credentials).success,
        baseUrl: credentials.baseUrl,
        corridors: sandbox.corridors.length,
      }))`
    writeFileSync(join(root, 'derived.ts'), script)
    const result = await run('node', ['derived.ts'])
    expect(JSON.parse(result.output)).toEqual({
      isInApi: true,
      areCredentialsValid: true,
      baseUrl: `http://127.0.0.1:4010/${name}`,
      corridors: 2,
    })
  })

  test('what it writes is formatted and leaves no placeholder', async () => {
    for (const path of written) {
      const text = readFileSync(join(root, path), 'utf8')
      expect([path, text]).toEqual([path, await formatText(path, text)])
      expect(text).not.toMatch(/\{\{|\}\}'/)
    }
  })

  test('what it writes compiles', { timeout: commandTimeoutMs }, async () => {
    const project = {
      extends: './tsconfig.json',
      include: [`${connectors}/${name}`, `${connectors}/registry.ts`, `simulator/src/protocols/${name}`],
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

  test('a name that is not valid or is taken is refused and nothing is written', async () => {
    const before = readFileSync(join(root, connectors, 'registry.ts'), 'utf8')
    await expect(writeConnector(root, '../evil')).rejects.toThrow('../evil is not a valid name')
    await expect(writeConnector(root, 'Zebra')).rejects.toThrow('Zebra is not a valid name')
    await expect(writeConnector(root, 'hybrid')).rejects.toThrow('the provider hybrid exists already')
    await expect(writeConnector(root, 'stripe')).rejects.toThrow('the provider stripe exists already')
    await expect(writeConnector(root, name)).rejects.toThrow('server/src/connectors/quagga exists already')
    expect(readFileSync(join(root, connectors, 'registry.ts'), 'utf8')).toBe(before)
  })
})

describe('docs/adding-a-connector.md', () => {
  const guide = readFileSync(join(repositoryDir, 'docs/adding-a-connector.md'), 'utf8')

  test('names only files and scripts that exist', () => {
    const paths = [...guide.matchAll(/`((?:server|simulator|stack|dev)\/[\w./-]+)`/g)].map(
      ([, path = '']) => path,
    )
    const made = paths.map((path) => path.replaceAll('zebra', name))
    expect(made.length).toBeGreaterThan(5)
    for (const path of made)
      expect([path, [repositoryDir, root].some((dir) => existsSync(join(dir, path)))]).toEqual([path, true])
    const { scripts } = JSON.parse(readFileSync(join(repositoryDir, 'package.json'), 'utf8'))
    for (const [, script = ''] of guide.matchAll(/npm run ([\w:]+)/g))
      expect(scripts).toHaveProperty([script])
  })

  test('its table has every file that the engineer changes', () => {
    const files = readdirSync(join(root, connectors, name)).filter((file) =>
      /^(?!mapping\.test).*\.ts$/.test(file),
    )
    for (const file of files)
      expect(guide).toMatch(new RegExp(`^\\| \`${file.replaceAll('.', '\\.')}\``, 'm'))
  })
})

describe('the registry', () => {
  test('stays in alphabetical order', () => {
    const names = ['pawapay', 'adyen', 'stripe', 'mpesa']
    const text = names.reduce(addToRegistry, emptyRegistry)
    expect(text).toBe(`import { registerConnectors } from './kit/register-connectors.ts'
import { adyenConnector } from './adyen/connector.ts'
import { mpesaConnector } from './mpesa/connector.ts'
import { pawapayConnector } from './pawapay/connector.ts'
import { stripeConnector } from './stripe/connector.ts'

/** Every connector has one line here. */
export const connectorDefinitions = registerConnectors({
  adyen: adyenConnector,
  mpesa: mpesaConnector,
  pawapay: pawapayConnector,
  stripe: stripeConnector,
})
`)
  })

  test('the one in the repository takes another line', () => {
    const real = readFileSync(join(repositoryDir, connectors, 'registry.ts'), 'utf8')
    const text = addToRegistry(real, 'zebra')
    expect(text.split('\n')).toHaveLength(real.split('\n').length + 2)
    expect(text).toContain('  zebra: zebraConnector,\n')
  })

  test('a file of another form is refused', () => {
    expect(() => addToRegistry('export const nothing = 1\n', 'mpesa')).toThrow('has an unexpected form')
  })
})
