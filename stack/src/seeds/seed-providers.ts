import { createConfig } from '@switchyard/server/domains/provider-configs/create-config.ts'
import { listCredentials } from '@switchyard/server/domains/provider-configs/list-credentials.ts'
import { storeCredentials } from '@switchyard/server/domains/provider-configs/store-credentials.ts'
import { fromNewConfig } from '@switchyard/server/domains/provider-configs/schema.ts'
import { refreshRates } from '@switchyard/server/domains/rates/refresh-rates.ts'
import type { Caller } from '@switchyard/server/lib/access.ts'
import { SANDBOX_PUBLIC_KEY } from '@switchyard/simulator/protocols/mpesa/sandbox-key.ts'
import { SANDBOX_KEY_ID, SANDBOX_SIGNING_KEY } from '@switchyard/simulator/protocols/truelayer/sandbox-key.ts'
import type { Deps } from '@switchyard/server/main/deps.ts'

type Corridor = Omit<Parameters<typeof fromNewConfig>[0], 'org_id'>

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

/** Not mpesa, whose every request says where its results shall go. */
const toldByWebhook = [
  'adyen',
  'circle',
  'flutterwave',
  'pawapay',
  'paystack',
  'stripe',
  'truelayer',
  'yellowcard',
]

const holderAddress = {
  line1: '100 Money Street',
  city: 'Boston',
  district: 'MA',
  postalCode: '01234',
  country: 'US',
}

/** The sandbox accounts of the simulator, made up like everything else there. */
export const simulatorCredentials = (simulatorUrl: string): Record<string, Record<string, unknown>> => ({
  adyen: {
    apiKey: 'AQE-adyen-sandbox-checkout',
    merchantAccount: 'SwitchyardECOM',
    hmacKeys: ['44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'],
    checkoutUrl: `${simulatorUrl}/adyen/v72`,
    transfers: {
      apiKey: 'AQE-adyen-sandbox-transfers',
      balanceAccountId: 'BA3227C223222B5CTBLR8BWJB',
      hmacKeys: ['51757397D785FBAE710E7F943F307971BB61B21281C98C9129B3D4018A57B2EB'],
      baseUrl: `${simulatorUrl}/adyen/btl/v4`,
    },
  },
  circle: {
    apiKey: 'SAND_API_KEY:circle:switchyard',
    baseUrl: `${simulatorUrl}/circle`,
    holderAddress,
    sns: { mirror: `${simulatorUrl}/circle/sns` },
  },
  paystack: { secretKey: 'sk_test_switchyard_sandbox', baseUrl: `${simulatorUrl}/paystack` },
  flutterwave: {
    secretKey: 'FLWSECK_TEST-switchyard-sandbox-X',
    secretHash: 'flutterwave-sandbox-hash',
    cardKeys: {
      publicKey: 'FLWPUBK_TEST-switchyard-sandbox-X',
      encryptionKey: 'FLWSECK_TESTswitchyard01',
    },
    baseUrl: `${simulatorUrl}/flutterwave/v3`,
  },
  mpesa: {
    consumerKey: 'mpesa-sandbox-key',
    consumerSecret: 'mpesa-sandbox-secret',
    shortCode: '174379',
    passkey: 'mpesa-sandbox-passkey',
    initiator: {
      name: 'testapi',
      password: 'mpesa-sandbox-initiator',
      certificate: SANDBOX_PUBLIC_KEY,
    },
    baseUrl: `${simulatorUrl}/mpesa`,
  },
  pawapay: { apiToken: 'pawapay-sandbox-token', baseUrl: `${simulatorUrl}/pawapay` },
  stripe: {
    secretKey: 'sk_test_switchyard_sandbox',
    webhookSecrets: ['whsec_switchyard_sandbox'],
    baseUrl: `${simulatorUrl}/stripe`,
  },
  truelayer: {
    clientId: 'switchyard-sandbox',
    clientSecret: 'truelayer-sandbox-secret',
    signingKey: SANDBOX_SIGNING_KEY,
    signingKeyId: SANDBOX_KEY_ID,
    merchantAccounts: {
      GBP: '822f8dfe-0874-481f-b966-5b14f767792f',
      EUR: 'a8bd2b7d-c6a7-4a3c-9a0e-6a8dbf7d2c11',
    },
    baseUrl: `${simulatorUrl}/truelayer`,
    authUrl: `${simulatorUrl}/truelayer`,
    jwksUrl: `${simulatorUrl}/truelayer/.well-known/jwks`,
  },
  yellowcard: {
    apiKey: 'yc-sandbox-key',
    secretKey: 'yc-sandbox-secret',
    baseUrl: `${simulatorUrl}/yellowcard`,
  },
  manual: {
    instructions: { account_name: 'Switchyard Demo', account_number: '0123456789', bank_name: 'Demo Bank' },
  },
})

/** Providers that the simulator plays, for eight countries, and today's rates. */
export async function seedProviders(deps: Deps, operator: Caller, simulatorUrl: string): Promise<void> {
  await openProviders(deps, operator, simulatorUrl)
  await seedCorridors(deps, operator, corridors)
}

/** A third way in Kenya, behind the two. */
export const seedMpesa = (deps: Deps, operator: Caller): Promise<void> =>
  seedCorridors(
    deps,
    operator,
    (['inbound', 'outbound'] as const).map((direction) => ({
      provider: 'mpesa',
      country: 'KE',
      direction,
      payment_method: 'mobile_money',
      priority: 100,
    })),
  )

async function seedCorridors(deps: Deps, operator: Caller, list: readonly Corridor[]): Promise<void> {
  for (const corridor of list) {
    const config = fromNewConfig(corridor)
    const known = await deps.corridors.list(operator.orgId, config)
    if (!known.some(({ provider }) => provider === config.provider))
      await createConfig(deps, operator, { orgId: null, config })
  }
}

/** Accounts at all of them, with nothing routed to any, and today's rates. */
export async function openProviders(deps: Deps, operator: Caller, simulatorUrl: string): Promise<void> {
  await storeSimulatorCredentials(deps, operator, simulatorUrl)
  await pointWebhooks(deps, operator, simulatorUrl)
  await refreshRates(deps)
}

/** They name the simulator's address. */
export async function storeSimulatorCredentials(
  deps: Deps,
  operator: Caller,
  simulatorUrl: string,
): Promise<void> {
  for (const [provider, stored] of Object.entries(simulatorCredentials(simulatorUrl)))
    await storeCredentials(deps, operator, { provider, orgId: null, credentials: stored })
}

/** The simulator forgets on a restart where its webhooks go, so every start tells it. */
export async function pointWebhooks(deps: Deps, operator: Caller, simulatorUrl: string): Promise<void> {
  for (const { provider, webhookUrl } of await listCredentials(deps, operator))
    if (toldByWebhook.includes(provider)) await pointWebhook(simulatorUrl, provider, webhookUrl)
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
