import type { Sandbox } from '../../sandbox.ts'

const secrets = { secret_key: 'sk_test_switchyard_sandbox', webhook_secret: 'whsec_switchyard_sandbox' }

export const sandbox = {
  account: {
    secrets,
    options: { raw_card_data: true, bank_transfers_arrive: true, search_delay_ms: 60_000 },
  },
  credentials: (providerUrl) => ({
    secretKey: secrets.secret_key,
    webhookSecrets: [secrets.webhook_secret],
    baseUrl: providerUrl,
    filesUrl: providerUrl,
  }),
} satisfies Sandbox
