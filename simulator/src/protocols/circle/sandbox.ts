import type { Sandbox } from '../../sandbox.ts'

const secrets = { api_key: 'SAND_API_KEY:circle:switchyard' }

const holderAddress = {
  line1: '100 Money Street',
  city: 'Boston',
  district: 'MA',
  postalCode: '01234',
  country: 'US',
}

export const sandbox = {
  account: { secrets },
  credentials: (providerUrl) => ({
    apiKey: secrets.api_key,
    baseUrl: providerUrl,
    holderAddress,
    sns: { mirror: `${providerUrl}/sns` },
  }),
} satisfies Sandbox
