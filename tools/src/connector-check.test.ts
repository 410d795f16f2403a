import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkConnector } from '@switchyard/server/connectors/kit/check/check-connector.ts'
import type { CheckRow } from '@switchyard/server/connectors/kit/check/rows.ts'
import type { ConnectorDefinition } from '@switchyard/server/connectors/kit/connector.ts'
import { createAgent, createHttpClient } from '@switchyard/server/connectors/kit/http-client.ts'
import { connectorDefinitions } from '@switchyard/server/connectors/registry.ts'
import { systemClock } from '@switchyard/server/lib/clock.ts'
import { startSimulator, type Simulator } from '@switchyard/simulator/simulator.ts'
import { describedConnectors } from './gen/connectors.ts'
import { repositoryDir } from '@switchyard/stack/repository-dir.ts'
import { runCommand } from './run-command.ts'
import { simulatorCredentials } from '@switchyard/stack/seeds/seed-providers.ts'

const commandTimeoutMs = 60_000
const timeout = 2 * commandTimeoutMs
const webhookUrl = 'https://api.test/hook'
const providers = Object.values(connectorDefinitions)
  .filter(({ sandbox }) => sandbox !== undefined)
  .map((definition) => [definition.name, definition] as const)
/** Test numbers for providers without a hosted page. */
const phones: Readonly<Record<string, string>> = { mpesa: '254708374149', pawapay: '22951345789' }

/** Circle is missing because it needs the payer's bank account, for which the command has no option. */
const payers = new Set<string>(
  describedConnectors()
    .filter(({ connector }) => connector.collect && connector.name !== 'circle')
    .map(({ connector }) => connector.name),
)

let simulator: Simulator
const agent = createAgent()

beforeAll(async () => {
  simulator = await startSimulator({ delayMs: 20 })
})
afterAll(async () => {
  await agent.destroy()
  await simulator.stop()
})

const check = (definition: ConnectorDefinition, credentials: unknown, pay?: object): Promise<CheckRow[]> =>
  checkConnector({
    definition,
    credentials,
    http: createHttpClient(agent),
    clock: systemClock,
    webhookUrl,
    pay,
  })

const storedFor = (name: string): Record<string, unknown> => simulatorCredentials(simulator.url)[name] ?? {}

/** The same credentials with the last letter of every key changed. */
function wrong(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, wrong(inner, key)]))
  const isKey = typeof value === 'string' && /key|secret|token/i.test(name) && !/\s|:\/\//.test(value)
  return isKey ? value.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x')) : value
}

const failuresOf = (rows: readonly CheckRow[]): CheckRow[] =>
  rows.filter(({ verdict }) => verdict === 'failed')

describe.each(providers)('connector:check %s', (name, definition) => {
  test('every call that moves no money works', async () => {
    const rows = await check(definition, storedFor(name))
    expect(failuresOf(rows)).toEqual([])
    expect(rows[0]).toMatchObject({ what: 'credentials', verdict: 'ok', detail: 'accepted' })
    expect(rows.some(({ what, verdict }) => what.startsWith('lookup') && verdict === 'ok')).toBe(true)
    expect(simulator.log({ provider: name })).toEqual([])
  })

  test.skipIf(!payers.has(name))(
    '--pay makes one payment and finds it if the provider has a lookup',
    async () => {
      const phone = phones[name]
      const rows = await check(definition, storedFor(name), { phone })
      expect(rows.find(({ what }) => what === 'payment')).toMatchObject({ verdict: 'ok' })
      expect(rows.find(({ what }) => what === 'lookup of it')).toMatchObject({ verdict: 'ok' })
      expect(simulator.log({ provider: name })).toHaveLength(1)
    },
  )

  test('unknown keys are reported as such', async () => {
    const rows = await check(definition, wrong(storedFor(name)))
    expect(rows[0]).toMatchObject({ what: 'credentials', verdict: 'failed' })
  })

  test('live addresses and live keys are refused before anything is sent', async () => {
    const { keys = {}, hosts = [] } = definition.sandbox ?? {}
    let calls = 0
    const elsewhere = JSON.stringify(storedFor(name)).replaceAll(simulator.url, 'https://api.live.example')
    const live = Object.fromEntries(Object.keys(keys).map((key) => [key, 'live_key_of_somebody']))
    const credentials = { ...JSON.parse(elsewhere), ...live }
    const rows = await checkConnector({
      definition,
      credentials,
      http: async () => {
        calls += 1
        return { kind: 'not_sent', reason: 'a test' }
      },
      clock: systemClock,
      webhookUrl,
    })
    expect(rows).toMatchObject([{ what: 'sandbox', verdict: 'failed' }])
    expect(hosts).not.toContain('api.live.example')
    expect(calls).toBe(0)
  })
})

describe('npm run connector:check', () => {
  const run = (args: string[], credentials?: object) =>
    runCommand({
      program: process.execPath,
      args: [join(repositoryDir, 'server/src/main/connector-check.ts'), ...args],
      cwd: repositoryDir,
      timeoutMs: commandTimeoutMs,
      signal: new AbortController().signal,
      env: { ...process.env, ...(credentials && { CONNECTOR_CREDENTIALS: JSON.stringify(credentials) }) },
    })

  test('prints a line for each check and exits with 0, or with 1 if one fails', { timeout }, async () => {
    const good = await run(['paystack'], storedFor('paystack'))
    expect(good.stdout).toMatch(/^ok +credentials +accepted$/m)
    expect([good.stdout.split('\n').at(-2), good.isSuccess]).toEqual([
      expect.stringContaining(' 0 failed'),
      true,
    ])
    const bad = await run(['paystack'], { ...storedFor('paystack'), secretKey: 'sk_test_of_nobody' })
    expect(bad.stdout).toMatch(/^FAILED +credentials/m)
    expect(bad.isSuccess).toBe(false)
    expect(bad.output).not.toContain('sk_test_of_nobody')
  })

  test('without a name it prints its usage', { timeout }, async () => {
    const none = await run([])
    expect([none.isSuccess, none.output]).toEqual([false, expect.stringContaining('NAME is one of adyen')])
  })
})
