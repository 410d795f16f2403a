import { createConfig } from '@switchyard/server/domains/providers/configs/create-config.ts'
import { listCredentials } from '@switchyard/server/domains/providers/accounts/reads.ts'
import { storeCredentials } from '@switchyard/server/domains/providers/accounts/store-credentials.ts'
import { createConfigBody, fromNewConfig } from '@switchyard/server/domains/providers/configs/schema.ts'
import { refreshRates } from '@switchyard/server/domains/pricing/rates/refresh-rates.ts'
import type { Caller } from '@switchyard/server/lib/requests/access.ts'
import type { Deps } from '@switchyard/server/main/deps.ts'
import { PROTOCOLS, sandboxCredentials } from '@switchyard/simulator/registry.ts'

type Corridor = Omit<Parameters<typeof fromNewConfig>[0], 'org_id'>

/** Tried after all routes that are listed here. */
const sandboxPriority = 100

const corridors: readonly Corridor[] = [
  ...corridorsOf(
    'NG',
    ['paystack', 'inbound', 'card'],
    ['paystack', 'inbound', 'bank_transfer'],
    ['paystack', 'outbound', 'bank_transfer'],
    ['pawapay', 'inbound', 'mobile_money'],
    ['pawapay', 'outbound', 'mobile_money'],
    ['yellowcard', 'external', 'crypto'],
  ),
  ...corridorsOf(
    'KE',
    ['pawapay', 'inbound', 'mobile_money'],
    ['paystack', 'inbound', 'mobile_money'],
    ['paystack', 'inbound', 'card'],
    ['pawapay', 'outbound', 'mobile_money'],
    ['paystack', 'outbound', 'mobile_money'],
    ['paystack', 'outbound', 'bank_transfer'],
  ),
  ...corridorsOf(
    'GH',
    ['paystack', 'inbound', 'mobile_money'],
    ['pawapay', 'inbound', 'mobile_money'],
    ['paystack', 'inbound', 'card'],
    ['pawapay', 'outbound', 'mobile_money'],
    ['paystack', 'outbound', 'mobile_money'],
    ['paystack', 'outbound', 'bank_transfer'],
  ),
  ...corridorsOf(
    'UG',
    ['pawapay', 'inbound', 'mobile_money'],
    ['pawapay', 'outbound', 'mobile_money'],
    ['manual', 'inbound', 'bank_transfer'],
    ['hybrid', 'external', 'crypto'],
    ['yellowcard', 'external', 'crypto'],
  ),
  ...corridorsOf(
    'RW',
    ['flutterwave', 'inbound', 'mobile_money'],
    ['flutterwave', 'inbound', 'card'],
    ['flutterwave', 'outbound', 'mobile_money'],
    ['flutterwave', 'outbound', 'bank_transfer'],
  ),
  ...corridorsOf(
    'DE',
    ['adyen', 'inbound', 'card'],
    ['truelayer', 'inbound', 'bank_transfer'],
    ['adyen', 'outbound', 'bank_transfer'],
    ['truelayer', 'outbound', 'bank_transfer'],
    ['circle', 'external', 'crypto'],
  ),
  ...corridorsOf('US', ['circle', 'external', 'crypto']),
  ...corridorsOf(
    'GB',
    ['stripe', 'inbound', 'card'],
    ['stripe', 'inbound', 'bank_transfer'],
    ['manual', 'outbound', 'bank_transfer'],
  ),
]

function corridorsOf(
  country: string,
  ...list: readonly [Corridor['provider'], Corridor['direction'], Corridor['payment_method']][]
): Corridor[] {
  return list.map(([provider, direction, payment_method], index) => ({
    provider,
    country,
    direction,
    payment_method,
    priority: (index + 1) * 10,
  }))
}

const configuredWebhooks = new Set(
  PROTOCOLS.filter(({ sandbox }) => sandbox.credentials && sandbox.webhookUrl === undefined).map(
    ({ name }) => name,
  ),
)

/** Shown to the payer of a payment that staff confirm by hand. */
const manualInstructions = {
  account_name: 'Switchyard Demo',
  account_number: '0123456789',
  bank_name: 'Demo Bank',
}

/** By provider, the credentials of the simulator's development accounts and of manual payments. */
export const simulatorCredentials = (simulatorUrl: string): Record<string, Record<string, unknown>> => ({
  ...sandboxCredentials(simulatorUrl),
  manual: { instructions: manualInstructions },
})

/** Credentials and routes of the simulated providers in eight countries, and today's exchange rates. */
export async function seedProviders(deps: Deps, operator: Caller, simulatorUrl: string): Promise<void> {
  await openProviders(deps, operator, simulatorUrl)
  await seedCorridors(deps, operator, corridors)
}

/** The corridors that the protocols bring along. */
export const seedSandboxCorridors = (deps: Deps, operator: Caller): Promise<void> =>
  seedCorridors(
    deps,
    operator,
    PROTOCOLS.flatMap(({ name: provider, sandbox }) =>
      (sandbox.corridors ?? []).map((corridor) =>
        createConfigBody.parse({ provider, priority: sandboxPriority, ...corridor }),
      ),
    ),
  )

async function seedCorridors(deps: Deps, operator: Caller, list: readonly Corridor[]): Promise<void> {
  for (const corridor of list) {
    const config = fromNewConfig(corridor)
    const known = await deps.corridors.list(operator.orgId, config)
    if (!known.some(({ provider }) => provider === config.provider))
      await createConfig(deps, operator, { orgId: null, config })
  }
}

/** Credentials of all simulated providers without any routes, and today's exchange rates. */
export async function openProviders(deps: Deps, operator: Caller, simulatorUrl: string): Promise<void> {
  await storeSimulatorCredentials(deps, operator, simulatorUrl)
  await pointWebhooks(deps, operator, simulatorUrl)
  await refreshRates(deps)
}

/** The credentials contain the simulator's address, so they change with it. */
export async function storeSimulatorCredentials(
  deps: Deps,
  operator: Caller,
  simulatorUrl: string,
): Promise<void> {
  for (const [provider, stored] of Object.entries(simulatorCredentials(simulatorUrl)))
    await storeCredentials(deps, operator, { provider, orgId: null, credentials: stored })
}

/** The simulator loses its webhook addresses on a restart, so every start configures them again. */
export async function pointWebhooks(deps: Deps, operator: Caller, simulatorUrl: string): Promise<void> {
  for (const { provider, webhookUrl } of await listCredentials(deps, operator))
    if (configuredWebhooks.has(provider)) await pointWebhook(simulatorUrl, provider, webhookUrl)
  await pointWebhook(simulatorUrl, 'sumsub', `${deps.publicUrl}/v1/organizations/webhook/kyb`)
}

async function pointWebhook(simulatorUrl: string, provider: string, webhookUrl: string): Promise<void> {
  const response = await fetch(`${simulatorUrl}/${provider}/_config`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ webhook_url: webhookUrl }),
  })
  if (!response.ok)
    throw new Error(`the simulator refused the webhook address of ${provider}: ${response.status}`)
}
