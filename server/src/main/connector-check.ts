import { parseArgs } from 'node:util'
import { checkConnector } from '../connectors/kit/check/check-connector.ts'
import type { CheckRow } from '../connectors/kit/check/rows.ts'
import { createHttpClient } from '../connectors/kit/http-client.ts'
import { connectorDefinitions, findConnector } from '../connectors/registry.ts'
import { installationOrgId } from '../kernel/db/vault.ts'
import { openChosenAccount } from '../domains/providers/accounts/open-credentials.ts'
import { webhookUrlOf } from '../domains/providers/accounts/rules.ts'
import { systemClock } from '../lib/clock.ts'
import { readConfig } from './config.ts'
import { createDeps } from './deps.ts'
import { startProcess } from './process-start.ts'

const usage = `npm run connector:check NAME [-- options]

Checks what works in the provider's own sandbox, with the keys in CONNECTOR_CREDENTIALS (JSON, as the API takes them)
or else the stored keys. It calls only the sandbox and this machine. Exit code 1: something failed.

  --org ID            the stored keys of this organisation     (default: those of the installation)
  --pay               also makes the smallest payment
  --country CC        of the payment                           (default: the first that the connector has)
  --currency CCC      of the payment
  --amount N          in the major unit                        (default: the network's least, or 1)
  --phone N           whose mobile money pays: a test number of the provider
  --network NAME      its network                              (default: the first that works)
`
const mark = { ok: 'ok', failed: 'FAILED', absent: '–', skipped: 'skipped' } as const
/** For providers that require a webhook URL with each request, when only the keys are known. */
const placeholderWebhookUrl = 'https://example.com/connector-check'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    org: { type: 'string', default: installationOrgId },
    pay: { type: 'boolean', default: false },
    country: { type: 'string' },
    currency: { type: 'string' },
    amount: { type: 'string' },
    phone: { type: 'string' },
    network: { type: 'string' },
  },
})
const [name, ...others] = positionals
const definition = name === undefined ? undefined : findConnector(name)
if (!definition || others.length > 0) {
  process.stderr.write(`${usage}\nNAME is one of ${Object.keys(connectorDefinitions).join(', ')}\n`)
  process.exitCode = 1
} else {
  const { org, pay, ...payment } = values
  const given = process.env['CONNECTOR_CREDENTIALS']
  const source = given === undefined ? await stored(org, definition.name) : fromEnv(given)
  const rows = await checkConnector({
    definition,
    ...source,
    http: createHttpClient(),
    clock: systemClock,
    pay: pay ? payment : undefined,
  })
  process.stdout.write(tableOf(rows))
  process.exitCode = rows.some(({ verdict }) => verdict === 'failed') ? 1 : 0
}

interface Source {
  credentials: unknown
  webhookUrl: string
}

/** The error does not quote the text, because it contains credentials. */
function fromEnv(text: string): Source {
  try {
    return { credentials: JSON.parse(text), webhookUrl: placeholderWebhookUrl }
  } catch {
    throw new Error('CONNECTOR_CREDENTIALS is not JSON')
  }
}

async function stored(orgId: string, provider: string): Promise<Source> {
  const deps = await createDeps(await startProcess(async () => readConfig()))
  try {
    const { account, credentials } = await openChosenAccount(deps, orgId, provider).catch(
      (cause: unknown) => {
        throw new Error(`no keys of ${provider} can be used, and CONNECTOR_CREDENTIALS is not set`, { cause })
      },
    )
    return { credentials, webhookUrl: webhookUrlOf(deps, account) }
  } finally {
    await deps.close()
  }
}

function tableOf(rows: readonly CheckRow[]): string {
  const lines = rows.map(
    ({ what, verdict, detail }) => `${mark[verdict].padEnd(9)}${what.padEnd(18)}${detail}\n`,
  )
  const count = (verdict: CheckRow['verdict']): number => rows.filter((one) => one.verdict === verdict).length
  return `${lines.join('')}${count('ok')} ok, ${count('failed')} failed\n`
}
