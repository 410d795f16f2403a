import type { Sandbox } from '../../sandbox.ts'

export const sandbox = {
  account: {
    secrets: {
      app_token: 'sbx:switchyard-sandbox-token',
      secret_key: 'switchyard-sandbox-secret',
      webhook_secret: 'switchyard-sandbox-webhook',
    },
  },
} satisfies Sandbox
