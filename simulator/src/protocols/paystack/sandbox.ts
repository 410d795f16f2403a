import type { Sandbox } from '../../sandbox.ts'

const secrets = { secret_key: 'sk_test_switchyard_sandbox' }

export const sandbox = {
  account: { secrets },
  credentials: (providerUrl) => ({ secretKey: secrets.secret_key, baseUrl: providerUrl }),
} satisfies Sandbox
