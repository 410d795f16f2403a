import type { Sandbox } from '../../sandbox.ts'
import { SANDBOX_PUBLIC_KEY } from './sandbox-key.ts'

const secrets = {
  consumer_key: 'mpesa-sandbox-key',
  consumer_secret: 'mpesa-sandbox-secret',
  shortcode: '174379',
  passkey: 'mpesa-sandbox-passkey',
  initiator_name: 'testapi',
  initiator_password: 'mpesa-sandbox-initiator',
}

export const sandbox = {
  account: { secrets },
  credentials: (providerUrl) => ({
    consumerKey: secrets.consumer_key,
    consumerSecret: secrets.consumer_secret,
    shortCode: secrets.shortcode,
    passkey: secrets.passkey,
    initiator: {
      name: secrets.initiator_name,
      password: secrets.initiator_password,
      certificate: SANDBOX_PUBLIC_KEY,
    },
    baseUrl: providerUrl,
  }),
  webhookUrl: 'in each request',
  corridors: [
    { country: 'KE', direction: 'inbound', payment_method: 'mobile_money' },
    { country: 'KE', direction: 'outbound', payment_method: 'mobile_money' },
  ],
} satisfies Sandbox
