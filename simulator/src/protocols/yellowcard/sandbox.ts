import type { Sandbox } from '../../sandbox.ts'

const secrets = { api_key: 'yc-sandbox-key', secret_key: 'yc-sandbox-secret' }

export const sandbox = {
  account: { secrets },
  credentials: (providerUrl) => ({
    apiKey: secrets.api_key,
    secretKey: secrets.secret_key,
    baseUrl: providerUrl,
  }),
} satisfies Sandbox
