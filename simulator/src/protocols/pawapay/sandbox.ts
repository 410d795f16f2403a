import type { Sandbox } from '../../sandbox.ts'

const secrets = { api_token: 'pawapay-sandbox-token' }

export const sandbox = {
  account: { secrets, options: { signed_callbacks: true, signed_requests_only: false } },
  credentials: (providerUrl) => ({ apiToken: secrets.api_token, baseUrl: providerUrl }),
} satisfies Sandbox
