import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packSdk } from './pack-sdk.ts'

const root = join(import.meta.dirname, '../..')
/** Kept between runs, beside Node 24 of `tools/use-node.sh`. */
const toolchain = join(root, '.toolchain/sdk')
const node22 = `node-${process.platform}-${process.arch}`
const tools = [`${node22}@22.23.3`, 'publint@0.3.25', '@arethetypeswrong/cli@0.18.5']
const bin = (name: string): string => join(toolchain, 'node_modules/.bin', name)

/** A user's program: it starts a server, pays through the SDK, reads a page and verifies a webhook. */
const program = `import { createServer } from 'node:http'
import { inspect } from 'node:util'
import { NotFound, Switchyard, signTestWebhook } from '@switchyard/sdk'
import type { PaymentRecord, SwitchyardEvent } from '@switchyard/sdk'
import { verifyWebhook } from '@switchyard/sdk/verify-webhook'

const answers: Record<string, string> = {
  'POST /v1/payments-init/initiate': '{"statusCode":200,"response":{"payment_id":"p-1"}}',
  'GET /v1/payments/p-1': '{"payment_id":"p-1","status":"completed","amount":1234.123456789012345678}',
  'GET /v1/transactions': '{"status":"success","message":"","data":[{"amount":1.50}],"meta":{"last_evaluated_key":null}}',
}
const server = createServer((request, response) => {
  const answer = answers[\`\${request.method} \${request.url}\`]
  response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
  response.end(answer ?? '{"status":"error","message":"Nothing is here.","code":"NOT_FOUND"}')
})
server.listen(0, '127.0.0.1', async () => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const sy = new Switchyard({ baseUrl: \`http://127.0.0.1:\${port}\`, apiKey: 'sy_test_secret' })
  const payment = await sy.payments.initiate({
    amount: '5000',
    target_amount: 5000,
    currency: 'UGX',
    target_currency: 'UGX',
    payment_method: 'mobile_money',
    direction: 'payin',
  })
  const settled: PaymentRecord = await sy.payments.waitFor(payment.payment_id, { timeoutMs: 1_000 })
  const rows = await sy.transactions.list().toArray({ limit: 10 })
  const missing: unknown = await sy.payments.get('p-2').catch((error: unknown) => error)
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const { body, headers } = signTestWebhook({ event_type: 'payment.completed', data: { amount: '1.50' } }, secret)
  const event: SwitchyardEvent = sy.webhooks.constructEvent(body, headers, secret)
  console.log(
    JSON.stringify([
      settled.amount,
      rows[0]?.amount,
      missing instanceof NotFound,
      event.event_type === 'payment.completed' ? event.data.amount : undefined,
      verifyWebhook(body, headers, secret).event_type,
      inspect(sy).includes('secret'),
    ]),
  )
  server.close()
  server.closeAllConnections()
})
`
const expected = ['1234.123456789012345678', '1.50', true, '1.50', 'payment.completed', false]

let directory: string
let tarball: string
let app: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'switchyard-sdk-'))
  tarball = packSdk(join(directory, 'package'))
  app = join(directory, 'app')
  mkdirSync(app)
  writeFileSync(join(app, 'package.json'), '{ "type": "module", "private": true }')
  run('npm', ['install', '--silent', '--offline', tarball])
  if (!existsSync(bin('attw')) || !existsSync(bin('node')))
    run('npm', ['install', '--silent', '--no-save', '--prefix', toolchain, ...tools])
}, 300_000)
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const run = (file: string, args: readonly string[]): string =>
  execFileSync(file, args, { cwd: app, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

describe('the packed SDK, installed into an empty directory', () => {
  it('passes strict type checks, also of its own declarations, and without the types of Node', () => {
    writeFileSync(join(app, 'use.ts'), program)
    const options = {
      target: 'es2022',
      module: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      outDir: 'built',
    }
    const types = {
      ...options,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      lib: ['esnext'],
    }
    writeFileSync(
      join(app, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...types, skipLibCheck: true }, files: ['use.ts'] }),
    )
    run(join(root, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.json'])
    writeFileSync(
      join(app, 'browser.ts'),
      "import { Switchyard } from '@switchyard/sdk'\nexport const make = (baseUrl: string) => new Switchyard({ baseUrl, accessToken: () => 'x' })\n",
    )
    const browser = { ...options, types: [], lib: ['es2024', 'dom', 'dom.iterable'] }
    writeFileSync(
      join(app, 'tsconfig.browser.json'),
      JSON.stringify({ compilerOptions: browser, files: ['browser.ts'] }),
    )
    expect(run(join(root, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.browser.json'])).toBe('')
  })

  it.each(['v24', 'v22'])('pays, reads and verifies under Node %s', (version) => {
    const node = version === 'v22' ? bin('node') : process.execPath
    expect(run(node, ['--version'])).toMatch(new RegExp(`^${version}\\.`))
    expect(JSON.parse(run(node, ['built/use.js']))).toEqual(expected)
  })

  it('has no fault that publint or attw knows', () => {
    expect(run(bin('publint'), ['run', tarball, '--strict'])).toContain('All good!')
    // It fails if it finds a problem; the profile leaves out CommonJS, for which there is no build.
    expect(run(bin('attw'), [tarball, '--profile', 'esm-only', '--no-emoji', '--no-color'])).toContain(
      'OK (ESM)',
    )
  })

  it('contains the built files and nothing else', () => {
    const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n')
    const others = files.filter((name) => !/^package\/dist\/[\w/-]+(?:\.d\.ts|\.js)$/.test(name))
    expect(others.toSorted()).toEqual(['package/LICENSE', 'package/README.md', 'package/package.json'])
    expect(files.filter((name) => /test/.test(name))).toEqual([])
  })
})
