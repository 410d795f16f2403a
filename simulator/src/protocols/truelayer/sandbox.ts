import type { Sandbox } from '../../sandbox.ts'
import { SANDBOX_KEY_ID, SANDBOX_PUBLIC_KEY, SANDBOX_SIGNING_KEY } from './sandbox-key.ts'

const secrets = {
  client_id: 'switchyard-sandbox',
  client_secret: 'truelayer-sandbox-secret',
  request_public_key: SANDBOX_PUBLIC_KEY,
}
const options = {
  request_key_id: SANDBOX_KEY_ID,
  merchant_account_gbp: '822f8dfe-0874-481f-b966-5b14f767792f',
  merchant_account_eur: 'a8bd2b7d-c6a7-4a3c-9a0e-6a8dbf7d2c11',
}

export const sandbox = {
  account: { secrets, options },
  credentials: (providerUrl) => ({
    clientId: secrets.client_id,
    clientSecret: secrets.client_secret,
    signingKey: SANDBOX_SIGNING_KEY,
    signingKeyId: SANDBOX_KEY_ID,
    merchantAccounts: { GBP: options.merchant_account_gbp, EUR: options.merchant_account_eur },
    baseUrl: providerUrl,
    authUrl: providerUrl,
    jwksUrl: `${providerUrl}/.well-known/jwks`,
  }),
} satisfies Sandbox
